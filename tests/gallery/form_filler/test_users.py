"""Simulated users: what they may say, and that tests hear nothing that training did."""

import re
from collections import Counter
from random import Random

import pytest

from tapes_app.engine.model.llm import Prompt
from tapes_app.engine.tape.tape import Tape
from tapes_app.gallery.form_filler.companies.generator import list_companies, make_company
from tapes_app.gallery.form_filler.form_state import FormState
from tapes_app.gallery.form_filler.steps import PromptUserForTextMessageAction
from tapes_app.gallery.form_filler.users.behaviours import BEHAVIOURS
from tapes_app.gallery.form_filler.users.goals import Goal, draw_change, draw_goal
from tapes_app.gallery.form_filler.users.held_out_phrases import HELD_OUT
from tapes_app.gallery.form_filler.users.phrases import Phrases
from tapes_app.gallery.form_filler.users.prompts import PROMPTS, build_user
from tapes_app.gallery.form_filler.users.situations import Situation
from tapes_app.gallery.form_filler.users.train_phrases import TRAIN
from tapes_app.gallery.form_filler.users.writing import list_choices, write_sentence, write_value
from tapes_app.gallery.form_filler.values import SlotValueError, read_value
from tapes_app.llms.scripted import ScriptedLLM

COMPANIES = [*list_companies("train"), *list_companies("test")]


def _list_sentences(phrases: Phrases) -> set[str]:
    """Return all sentences, with fields for values, without case and punctuation."""
    sentences = (one for text in phrases.list_templates() for one in list_choices(text))
    return {" ".join(re.findall(r"[\w{}']+", one.lower())) for one in sentences}


def test_no_sentence_of_the_tests_is_heard_in_training() -> None:
    train, held_out = _list_sentences(TRAIN), _list_sentences(HELD_OUT)

    assert not train & held_out
    assert len(train) > 150
    assert len(held_out) > 150


def _situate(
    goal: Goal, phrases: Phrases, seed: int, *, asked: str = "", **state: object
) -> Situation:
    dialogue = FormState.model_validate({"form": goal.form.schema, "requested": asked, **state})
    return Situation(goal, dialogue, phrases, Random(seed), slips=0.2)


def _speak(behaviour: str, phrases: Phrases, seed: int) -> tuple[str, bool]:
    """Return what somebody says who may behave so, and whether anybody may."""
    chance = Random(seed)
    goal = draw_goal(chance.choice(COMPANIES), seed)
    slots = list(goal.form.schema.slots)
    filled = {
        name: goal.values[name] for name in slots[: chance.randrange(3)] if name in goal.values
    }
    now = _situate(goal, phrases, seed, asked=chance.choice(slots), assigned=filled)
    if BEHAVIOURS[behaviour].effect == "opens":
        now = _situate(goal, phrases, seed, form=None)
    if not BEHAVIOURS[behaviour].applies(now):
        return "", False
    turn = BEHAVIOURS[behaviour].act(now, behaviour)
    assert turn.label.behaviour in (behaviour, "UserAsksAboutFilledParameters")
    return turn.text, True


@pytest.mark.parametrize("phrases", [TRAIN, HELD_OUT], ids=["train", "held out"])
@pytest.mark.parametrize("behaviour", BEHAVIOURS)
def test_a_behaviour_has_hundreds_of_sentences(behaviour: str, phrases: Phrases) -> None:
    texts = {
        text for seed in range(1_500) for text, may in [_speak(behaviour, phrases, seed)] if may
    }

    assert len(texts) >= 100


def test_there_are_the_nineteen_behaviours_of_the_paper() -> None:
    effects = Counter(behaviour.effect for behaviour in BEHAVIOURS.values())

    assert effects == {"opens": 4, "advances": 6, "detours": 9}


@pytest.mark.parametrize("seed", range(60))
def test_a_goal_can_be_submitted_also_after_a_change(seed: int) -> None:
    goal = draw_goal(COMPANIES[seed % 6], seed)
    schema = goal.form.schema

    for slot in goal.values:
        value = draw_change(goal, slot, Random(seed))
        changed = goal.changed({slot: value} if value is not None else {}).values
        needed = [name for name in schema.slots if schema.is_required(name, changed)]
        assert not [name for name in needed if name not in changed]
        assert not list(schema.find_broken_rules(changed))
        assert all(read_value(schema.slots[name], one) == one for name, one in changed.items())


@pytest.mark.parametrize("seed", range(60))
def test_a_value_is_read_as_it_was_meant_however_it_is_written(seed: int) -> None:
    goal = draw_goal(COMPANIES[seed % 6], seed)
    chance = Random(seed)

    for name, value in goal.values.items():
        slot = goal.form.schema.slots[name]
        assert read_value(slot, write_value(slot, value, chance)) == value


@pytest.mark.parametrize("phrases", [TRAIN, HELD_OUT], ids=["train", "held out"])
def test_no_slot_takes_what_is_meant_to_be_wrong(phrases: Phrases) -> None:
    seen = Counter[str]()
    for seed in range(400):
        goal = draw_goal(COMPANIES[seed % 6], seed)
        for name, slot in goal.form.schema.slots.items():
            now = _situate(goal, phrases, seed, asked=name)
            for behaviour in ("UserInvalidValue", "UserIncorrectDate", "UserIncorrectWeb"):
                if not BEHAVIOURS[behaviour].applies(now):
                    continue
                label = BEHAVIOURS[behaviour].act(now, behaviour).label
                seen[slot.slot_type] += 1
                with pytest.raises(SlotValueError):
                    read_value(slot, label.invalid[name])

    assert set(seen) == {"categorical", "date", "time", "email", "url"}


def test_a_typing_error_never_touches_a_value() -> None:
    fields = {"label": "pickup date", "value": "wednesday evening"}
    template = "please change the {label} towards {value} quickly"

    written = {write_sentence(template, fields, Random(seed), 1.0) for seed in range(50)}

    assert len(written) > 10
    assert all("pickup date" in text and "wednesday evening" in text for text in written)
    assert template.format(**fields) not in written


def test_the_same_seed_wants_the_same() -> None:
    company = make_company("ShopCorp")

    assert draw_goal(company, 7) == draw_goal(company, 7)
    assert len({str(draw_goal(company, seed).values) for seed in range(50)}) == 50


@pytest.mark.parametrize("behaviour", BEHAVIOURS)
async def test_a_model_that_plays_a_user_is_told_how_to_behave(behaviour: str) -> None:
    prompts: list[Prompt] = []

    def speak(prompt: Prompt) -> str:
        prompts.append(prompt)
        return "The second one."

    agent = build_user(behaviour, "ShopCorp", seed=3).with_llms({"default": ScriptedLLM(speak)})
    greeting = PromptUserForTextMessageAction(prompt="Hi, how can I help you?")
    tape = await agent.run(Tape(steps=(greeting,))).get_final_tape()

    assert prompts[0].messages[0].text.endswith(PROMPTS[behaviour])
    assert greeting.prompt in prompts[0].messages[1].text
    assert tape.steps[-1].content_dict()["content"] == "The second one."
