"""Teacher and student with simulated users, and with a person."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator

import pytest

from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.orchestrator import run_to_end
from tapes_app.engine.agent.registration import gallery_agents
from tapes_app.engine.agent.spec import build_agent, build_environment
from tapes_app.engine.environment.spec import EnvironmentSpec
from tapes_app.engine.errors import AgentConfigError
from tapes_app.engine.model.llm import LLMEvent, LLMResult, Prompt
from tapes_app.engine.tape.dialog_steps import UserStep
from tapes_app.engine.tape.tape import Tape
from tapes_app.gallery.form_filler.agent import PERSON, USER
from tapes_app.gallery.form_filler.assistant.script import GATHER, NAME, VERIFY, answer
from tapes_app.gallery.form_filler.companies.environment import FORMS
from tapes_app.gallery.form_filler.form_state import read_state
from tapes_app.gallery.form_filler.greadth.turns import list_turns
from tapes_app.gallery.form_filler.play import Dialogue, play, rate_behaviours
from tapes_app.gallery.form_filler.steps import (
    FunctionResult,
    PromptUserForTextMessageAction,
)
from tapes_app.gallery.form_filler.users.behaviours import BEHAVIOURS
from tapes_app.gallery.form_filler.users.environment import UserSettings
from tapes_app.llms.scripted import ScriptedLLM

TEST_COMPANIES = ("DriveCorp", "LuxuryCorp", "ShopCorp")
AGENTS = ("form_teacher", "form_student")


class CountingLLM(ScriptedLLM):
    """Adds up the tokens of its calls."""

    tokens = 0

    async def stream(self, prompt: Prompt) -> AsyncIterator[LLMEvent]:
        async for event in super().stream(prompt):
            if isinstance(event, LLMResult):
                self.tokens += (event.usage.input_tokens or 0) + (event.usage.output_tokens or 0)
            yield event


def _build(name: str, llm: ScriptedLLM | None = None) -> Agent:
    return build_agent(gallery_agents.get(name)(), lambda _: llm or ScriptedLLM(NAME))


async def _play(agent: Agent, seed: int, **settings: object) -> Dialogue:
    company = TEST_COMPANIES[seed % 3]
    given = {"company": company, "seed": seed, "phrases": "held_out", **settings}
    return await play(agent, UserSettings.model_validate(given))


@pytest.fixture(scope="module")
def dialogues() -> list[Dialogue]:
    """A hundred dialogues of the teacher on the test companies."""

    async def play_all() -> list[Dialogue]:
        agent = _build("form_teacher")
        return [await _play(agent, seed) for seed in range(100)]

    return asyncio.run(play_all())


def test_the_teacher_submits_what_its_users_want(dialogues: list[Dialogue]) -> None:
    assert sum(dialogue.succeeds for dialogue in dialogues) >= 95


def test_the_teacher_takes_no_illegal_step(dialogues: list[Dialogue]) -> None:
    assert Counter(dialogue.state.end for dialogue in dialogues) == {"submitted": 100}


async def test_forms_that_nobody_has_seen_are_filled_in_too() -> None:
    agent = _build("form_teacher")

    for seed in range(12):
        phrases = "train" if seed % 2 else "held_out"
        settings = {"company_seed": 100 + seed, "phrases": phrases, "detour_share": 0.7}
        dialogue = await _play(agent, seed, **settings)
        assert dialogue.succeeds, (seed, dialogue.state.end, dialogue.state.reason)


async def test_made_up_words_are_understood_too() -> None:
    agent = _build("form_teacher")
    played = [
        await _play(agent, seed, company=f"MadeUp{seed}", phrases="train") for seed in range(20)
    ]

    assert sum(dialogue.succeeds for dialogue in played) >= 19


def test_all_behaviours_occur(dialogues: list[Dialogue]) -> None:
    rates = rate_behaviours(dialogues)

    assert rates.keys() == BEHAVIOURS.keys()
    assert min(rate.count for rate in rates.values()) >= 4


def test_a_dialogue_is_the_same_again(dialogues: list[Dialogue]) -> None:
    again = asyncio.run(_play(_build("form_teacher"), 7))

    pairs = zip(again.tape, dialogues[7].tape, strict=True)
    assert all(one.content_equals(other) for one, other in pairs)


async def test_the_student_needs_a_tenth_of_the_tokens_for_the_same_result() -> None:
    tokens: dict[str, float] = {}
    for name in AGENTS:
        llm = CountingLLM(NAME)
        agent = _build(name, llm)
        played = [await _play(agent, seed) for seed in range(6)]
        assert all(dialogue.succeeds for dialogue in played)
        tokens[name] = llm.tokens / sum(len(dialogue.behaviours) for dialogue in played)

    assert tokens["form_student"] * 10 < tokens["form_teacher"]


@pytest.mark.parametrize("name", AGENTS)
async def test_answers_can_be_rebuilt_from_the_tape(name: str) -> None:
    agent = _build(name)
    tape = (await _play(agent, 4)).tape
    runs = {step.metadata.prompt_id: n for n, step in reversed(list(enumerate(tape)))}

    for prompt_id, place in runs.items():
        node = agent.find_node(tape[place].metadata.node)
        if not prompt_id or node is None:
            continue
        output = node.make_llm_output(agent, tape, place)
        prompt = node.make_prompt(agent, Tape(steps=tape.steps[:place]))
        assert output.content == (answer(prompt).content if prompt else None)


async def test_mistakes_cost_success_and_are_the_same_again() -> None:
    async def play_some(**options: object) -> list[bool]:
        agent = _build("form_teacher", ScriptedLLM(NAME, options=options))
        return [(await _play(agent, seed)).succeeds for seed in range(5)]

    careless = await play_some(error_rate=0.08)

    assert careless == await play_some(error_rate=0.08)
    assert sum(careless) < 5
    assert sum(careless) < sum(await play_some(error_rates={GATHER: 0.0}))


@pytest.mark.parametrize("name", AGENTS)
async def test_a_person_fills_in_a_form_of_a_chosen_company(name: str) -> None:
    spec = gallery_agents.get(name)()
    agent, environment = _build(name), build_environment(spec)
    tape = Tape()
    for text in (
        "Can you juggle?",
        "I want to claim a delay refund",
        "let me stop here",
        "no, go on",
        "I want to stop here",
        "yes",
    ):
        finished = await run_to_end(agent, tape, environment)
        assert finished.status == "external_input_needed"
        tape = finished.tape.append(UserStep(content=text))
    finished = await run_to_end(agent, tape, environment)

    assert finished.status == "finished"
    assert read_state(finished.tape).end == "exited"
    prompts = [one for one in tape if isinstance(one, PromptUserForTextMessageAction)]
    assert prompts[0].prompt == "Hi, how can I help you?"
    assert "I have no form for that." in prompts[1].prompt


@pytest.mark.parametrize("name", AGENTS)
async def test_a_person_may_speak_first_to_another_company(name: str) -> None:
    company = EnvironmentSpec(type=FORMS, settings={"company": "ShopCorp"})
    spec = gallery_agents.get(name)().model_copy(update={"environment": (company, PERSON)})
    words = "I have to refund a damaged parcel"

    finished = await run_to_end(
        _build(name), Tape(steps=(UserStep(content=words),)), build_environment(spec)
    )

    state = read_state(finished.tape)
    assert finished.status == "external_input_needed"
    assert state.form is not None
    assert state.form.name == "RefundDamagedParcel"
    assert state.requested in state.outstanding


@pytest.mark.parametrize(
    ("environment", "reason"),
    [
        (EnvironmentSpec(type=FORMS, settings={"company": "NoCorp"}), "no company 'NoCorp'"),
        (EnvironmentSpec(type=USER, settings={"behaviours": ["UserSings"]}), "no behaviour"),
        (EnvironmentSpec(type=USER, settings={"detour_share": 2}), "less than or equal to 1"),
    ],
)
def test_settings_that_make_no_sense_are_refused(environment: EnvironmentSpec, reason: str) -> None:
    spec = gallery_agents.get("form_teacher")()

    with pytest.raises(AgentConfigError, match=reason):
        build_environment(spec.model_copy(update={"environment": environment}))


async def test_a_user_who_was_misunderstood_leaves() -> None:
    options = {"error_rates": {"Intent Discovery": 1.0}}
    dialogue = await _play(_build("form_teacher", ScriptedLLM(NAME, options=options)), 5)

    assert dialogue.state.end == "exited"
    assert "UserLeaves" in dialogue.behaviours
    assert not dialogue.succeeds


async def test_an_illegal_step_ends_the_dialogue() -> None:
    options = {"error_rates": {VERIFY: 0.5}}
    agent = _build("form_teacher", ScriptedLLM(NAME, options=options))

    played = [await _play(agent, seed) for seed in range(4)]

    invalid = [dialogue for dialogue in played if dialogue.state.end == "invalid"]
    assert invalid
    for dialogue in invalid:
        turns = list(list_turns(dialogue.tape.steps))
        assert not dialogue.succeeds
        assert [turn.is_valid for turn in turns] == [True] * (len(turns) - 1) + [False]


async def test_whoever_submits_gets_a_request_id() -> None:
    tape = (await _play(_build("form_student"), 2)).tape

    assert [one.result for one in tape if isinstance(one, FunctionResult)]
