"""GREADTH by rules: clean turns meet all criteria, planted faults are found, tables add up."""

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from tapes_app.engine.agent.registration import gallery_agents
from tapes_app.engine.agent.spec import build_agent
from tapes_app.engine.tape.steps import Step
from tapes_app.gallery.form_filler import steps
from tapes_app.gallery.form_filler.assistant.script import NAME
from tapes_app.gallery.form_filler.greadth.scores import (
    ALL,
    CRITERIA,
    TurnScore,
    score_turn,
    tabulate,
)
from tapes_app.gallery.form_filler.greadth.turns import AssistantTurn, list_turns
from tapes_app.gallery.form_filler.play import play
from tapes_app.gallery.form_filler.users.behaviours import BEHAVIOURS
from tapes_app.gallery.form_filler.users.environment import UserSettings
from tapes_app.llms.scripted import ScriptedLLM

COMPANIES = ("BigBankCorp", "DriveCorp", "CoffeeCorp")
SAY = steps.PromptUserForTextMessageAction
UPDATE = steps.UpdateFunctionParametersThought

Edit = Callable[[AssistantTurn], AssistantTurn | None]
"""Plants a fault; `None` if the turn has no room for it."""


@pytest.fixture(scope="module")
def turns() -> list[AssistantTurn]:
    """The teacher's turns in a few dialogues."""

    async def play_all() -> list[AssistantTurn]:
        agent = build_agent(gallery_agents.get("form_teacher")(), lambda _: ScriptedLLM(NAME))
        users = [UserSettings(company=COMPANIES[seed % 3], seed=seed) for seed in range(24)]
        tapes = [(await play(agent, user)).tape for user in users]
        return [turn for tape in tapes for turn in list_turns(tape.steps)]

    return asyncio.run(play_all())


def test_clean_turns_meet_all_criteria(turns: list[AssistantTurn]) -> None:
    failed = [(turn.text, turn.message) for turn in turns if not score_turn(turn).passes]

    assert len(turns) > 250
    assert len(failed) <= len(turns) * 0.01, failed


def _edit(kind: type[Step], change: Callable[[Any, AssistantTurn], Step | None]) -> Edit:
    """Return an edit of the last step of a kind."""

    def edit(turn: AssistantTurn) -> AssistantTurn | None:
        places = [n for n, step in enumerate(turn.steps) if isinstance(step, kind)]
        made = change(turn.steps[places[-1]], turn) if places else None
        if made is None:
            return None
        return replace(turn, steps=(*turn.steps[: places[-1]], made, *turn.steps[places[-1] + 1 :]))

    return edit


def _rewrite(change: Callable[[str, AssistantTurn], str]) -> Edit:
    """Return an edit of the message, where it changes anything."""

    def edit(step: steps.PromptUserForTextMessageAction, turn: AssistantTurn) -> Step | None:
        text = change(step.prompt, turn)
        return SAY(prompt=text) if text != step.prompt else None

    return _edit(SAY, edit)


def _forget_values(step: steps.UpdateFunctionParametersThought, turn: AssistantTurn) -> Step | None:
    return UPDATE(function=step.function) if step.assign or step.skip else None


def _invent_a_value(
    step: steps.UpdateFunctionParametersThought, turn: AssistantTurn
) -> Step | None:
    form = turn.after.form
    assert form is not None
    free = [n for n, one in form.slots.items() if one.enum and n not in turn.after.assigned]
    if not free:
        return None
    choice = (form.slots[free[0]].enum or ("",))[0]
    return UPDATE(function=step.function, assign={**step.assign, free[0]: choice}, skip=step.skip)


def _hide_changes(text: str, turn: AssistantTurn) -> str:
    if not turn.assigned and not turn.skipped:
        return text
    return "Done. " + text.rpartition(". ")[2] if "complete" not in text else "Shall I submit it?"


def _hide_refusals(text: str, turn: AssistantTurn) -> str:
    refused = {*turn.label.invalid, *turn.label.skips} - set(turn.skipped)
    is_refused = bool(refused) or turn.label.is_off_topic
    return "Fine. " + text.partition("What is ")[2] if is_refused else text


def _ask_nothing(text: str, turn: AssistantTurn) -> str:
    return text.replace("?", ".")


def _hide_options(text: str, turn: AssistantTurn) -> str:
    head, found, _ = text.partition(" Choose from ")
    return head if found else text


FAULTS: dict[str, Sequence[Edit]] = {
    "accurate": (_edit(UPDATE, _forget_values), _edit(UPDATE, _invent_a_value)),
    "transparent": (_rewrite(_hide_changes),),
    "responsive": (_rewrite(_hide_refusals), _rewrite(_hide_changes)),
    "disciplined": (
        _rewrite(_ask_nothing),
        _rewrite(lambda _, __: "What else would you like?"),
    ),
    "helpful": (_rewrite(_ask_nothing), _rewrite(_hide_options)),
    "grounded": (
        _rewrite(lambda text, _: f"My grandmother loved Italian operas. {text}"),
        _rewrite(lambda text, _: f"{text} It costs 777123 credits."),
    ),
}


@pytest.mark.parametrize("criterion", CRITERIA)
def test_planted_faults_are_found(criterion: str, turns: list[AssistantTurn]) -> None:
    planted = [made for turn in turns for edit in FAULTS[criterion] if (made := edit(turn))]
    missed = [(one.text, one.message) for one in planted if getattr(score_turn(one), criterion)]

    assert len(planted) >= 20
    assert len(missed) <= len(planted) * 0.02, missed


def test_an_invalid_turn_meets_no_criterion(turns: list[AssistantTurn]) -> None:
    turn = next(turn for turn in turns if turn.assigned)
    illegal = UPDATE(function="NoSuchForm", assign=turn.assigned)

    score = score_turn(replace(turn, steps=(illegal, *turn.steps)))

    assert score == TurnScore(*[False] * 6)


PASSING = TurnScore(*[True] * 6)
FAILING = TurnScore(True, True, True, True, True, False)

TABLE_7 = {
    "UserInitMessageAmazing": (46, 60.87, 86.96),
    "UserInitMessageShort": (48, 87.50, 89.58),
    "UserInitMessageAsk": (46, 91.30, 84.78),
    "UserBadInitMessage": (46, 97.83, 100.00),
    "UserHappyPath": (186, 72.58, 89.25),
    "UserMultislotInstruct": (48, 68.75, 83.33),
    "UserMultislotFuture": (46, 58.70, 76.09),
    "UserChangesSlot": (46, 71.74, 82.61),
    "UserAdjectiveOrPosition": (46, 58.70, 76.09),
    "UserSkipsOptional": (46, 71.74, 71.74),
    "UserAsksAboutDocs": (46, 84.78, 93.48),
    "UserAsksAboutFilledParameters": (48, 83.33, 81.25),
    "UserAsksForHelp": (45, 40.00, 42.22),
    "UserCorrectValueInvalidValue": (45, 62.22, 77.78),
    "UserInvalidValue": (46, 63.04, 91.30),
    "UserChangesTopic": (46, 76.09, 86.96),
    "UserSkipsUnskipable": (48, 87.50, 95.83),
    "UserIncorrectDate": (46, 47.83, 19.57),
    "UserIncorrectWeb": (42, 16.67, 23.81),
}
"""Turns, and percent with a GREADTH of 1, of the long-node and of the multi-node agent."""


@pytest.mark.parametrize(("column", "total"), [(1, 69.39), (2, 78.54)])
def test_the_table_of_the_paper_adds_up(column: int, total: float) -> None:
    scores: list[tuple[str, TurnScore]] = []
    for name, row in TABLE_7.items():
        passing = round(row[0] * row[column] / 100)
        scores += [(name, PASSING)] * passing + [(name, FAILING)] * (row[0] - passing)

    table = tabulate(scores)

    assert TABLE_7.keys() == BEHAVIOURS.keys()
    assert table[ALL].count == 1016
    assert round(table[ALL].greadth * 100, 2) == total
    for name, row in TABLE_7.items():
        assert round(table[name].greadth * 100, 2) == row[column]


def test_all_six_are_needed_so_none_is_below_their_conjunction(turns: list[AssistantTurn]) -> None:
    scores = [(turn.label.behaviour, score_turn(turn)) for turn in turns]
    counts = Counter(turn.label.behaviour for turn in turns)

    for name, row in tabulate([*scores, ("UserHappyPath", FAILING)]).items():
        assert row.greadth <= min(row.shares.values())
        assert name == ALL or row.count == counts[name] + (name == "UserHappyPath")
    assert not tabulate([])
