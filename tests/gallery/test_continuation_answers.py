"""What the continuation agent makes of answers: steps in the form of the tape that it continues."""

import json
from typing import Any

import pytest

from tapes_app.engine.agent.orchestrator import run_to_end
from tapes_app.engine.agent.training_text import make_training_text
from tapes_app.engine.model.llm import LLMOutput
from tapes_app.engine.model.messages import system_message, user_message
from tapes_app.engine.prompts.briefing import Briefing, RecordedPrompt
from tapes_app.engine.tape.dialog_steps import (
    AssistantStep,
    AssistantThought,
    ParsingFailure,
    ToolCalls,
    ToolResult,
    UserStep,
)
from tapes_app.engine.tape.families import AssignedFamily
from tapes_app.engine.tape.steps import Step, UnknownStep
from tapes_app.engine.tape.tape import Tape
from tapes_app.gallery.continuation.agent import SYSTEM
from tapes_app.gallery.continuation.transcript import STEP_FORM
from tests.gallery.test_continuation import Model, build, environment
from tests.interchange.chats import WEATHER_TOOL, build_call

THOUGHT = {"kind": "plan_thought", "plan": ["a", None]}
SEARCH = {"kind": "search_action", "query": "moon"}
DONE = {"kind": "gaia_answer_action", "answer": "42", "overview": None}


def web_step(**fields: Any) -> Step:
    return UnknownStep.model_validate({"metadata": {"agent": "web", "prompt_id": "p"}, **fields})


ASKED = Tape(
    steps=(
        UnknownStep.model_validate({"kind": "task", "task": "Find it"}),
        web_step(kind="click_action", at=3),
        UnknownStep.model_validate({"kind": "page_observation", "text": "A page"}),
    )
)


async def go_on(
    *answers: LLMOutput | str,
    tape: Tape = ASKED,
    told: dict[str, AssignedFamily] | None = None,
    recorded: RecordedPrompt | None = None,
) -> Any:
    """Return how a run on answers ended, its new steps, and what the model was asked."""
    model = Model(*answers)
    briefing = Briefing(families=told or {}, recorded=recorded or RecordedPrompt())
    end = await run_to_end(build(model).with_briefing(briefing), tape, environment())
    return end, end.tape.steps[len(tape) :], model.prompts


async def test_steps_in_the_tapes_form_are_read_as_their_kinds_until_one_ends_it() -> None:
    written = json.dumps(THOUGHT)

    end, steps, prompts = await go_on(written, f"```json\n{json.dumps(DONE)}\n```")

    assert [step.to_json() | {"metadata": None} for step in steps] == [
        THOUGHT | {"metadata": None},
        DONE | {"metadata": None},
    ]
    assert end.status == "finished"
    assert json.loads(prompts[1].messages[-2].text) == {"kind": "plan_thought", "plan": ["a", None]}


async def test_an_action_of_the_tapes_kind_waits_for_its_result() -> None:
    end, steps, _ = await go_on(json.dumps([THOUGHT, SEARCH]))

    assert [step.kind for step in steps] == ["plan_thought", "search_action"]
    assert end.status == "external_input_needed"
    assert end.message == "'search_action' cannot be run here; enter its result to continue."


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ('{"kind": "click_action", "at": 3', "Expected a step or a list of steps as JSON"),
        ('{"kind": "page_observation", "text": "b"}', "'page_observation' is not yours to write"),
        ('{"kind": "respond"}', "'respond' is not yours to write"),
        ('{"kind": ""}', "A step needs a text field 'kind'"),
        ('{"kind": "click_action", "at": NaN}', "NaN is no JSON"),
        ("[" * 5000 + '"kind"', "Expected a step"),
        ('{"kind": "glide"}', "'glide' is not yours to write"),
    ],
)
async def test_what_is_no_step_of_an_agent_is_told_to_the_model(answer: str, reason: str) -> None:
    end, steps, prompts = await go_on(answer, json.dumps(DONE), told={"glide": "observation"})

    assert isinstance(steps[0], ParsingFailure)
    assert reason in steps[0].content_dict()["error"]
    assert reason in prompts[1].messages[-1].text
    assert end.status == "finished"


@pytest.mark.parametrize("answer", ["It is 42.", '{"answer": 42}', "[1, 2]", "{hello}"])
async def test_anything_else_is_said_to_the_person(answer: str) -> None:
    _, steps, _ = await go_on(answer)

    assert [step.content_dict() for step in steps] == [{"kind": "assistant", "content": answer}]


async def test_json_on_a_transcript_stays_words() -> None:
    _, (step,), _ = await go_on('{"kind": "apple"}', tape=Tape(steps=(UserStep(content="Fruit?"),)))

    assert step == AssistantStep(content='{"kind": "apple"}', metadata=step.metadata)


async def test_a_call_that_is_named_like_a_kind_is_that_step_and_its_words_are_kept() -> None:
    calls = (build_call("click_action", at=5), build_call(id="2"))

    _, steps, _ = await go_on(LLMOutput(content="I click.", tool_calls=calls))

    assert [type(step) for step in steps] == [AssistantThought, UnknownStep, ToolCalls]
    assert steps[0].content_dict()["content"] == "I click."
    assert steps[1].content_dict() == {"kind": "click_action", "at": 5}
    assert [call["id"] for call in steps[2].content_dict()["tool_calls"]] == ["2"]


@pytest.mark.parametrize(
    ("tool", "kind"),
    [
        ("Click", "click_action"),
        ("click_action", "click_action"),
        ("OpenURL", "open_url_action"),
        ("GaiaAnswer", "gaia_answer_action"),
        ("ProducePlanThought", "plan_thought"),
        ("FinalStep", "final_step"),
    ],
)
async def test_calls_are_steps_where_the_agent_was_offered_tools_and_made_steps_of_them(
    tool: str, kind: str
) -> None:
    calling = LLMOutput(tool_calls=(build_call(tool, reason="so"),))
    offered = RecordedPrompt(tools=(WEATHER_TOOL,))

    _, steps, _ = await go_on(calling, json.dumps(DONE), recorded=offered)

    assert steps[0].content_dict() == {"kind": kind, "reason": "so"}


async def test_a_call_on_a_tape_with_calls_stays_one() -> None:
    calls = ToolCalls.model_validate({"tool_calls": [build_call(id="a")]})
    tape = ASKED.append(calls, ToolResult(content="1", tool_call_id="a"))
    offered = RecordedPrompt(tools=(WEATHER_TOOL,))

    _, (step,), _ = await go_on(
        LLMOutput(tool_calls=(build_call("Look", id="b"),)), tape=tape, recorded=offered
    )

    assert isinstance(step, ToolCalls)


async def test_words_beside_tool_calls_are_kept_and_asked_again() -> None:
    tape = Tape(steps=(UserStep(content="Weather?"),))
    calling = LLMOutput(content="I look.", tool_calls=(build_call(id="a"),))

    end, (step,), _ = await go_on(calling, tape=tape)
    _, _, (prompt,) = await go_on(
        "Sun.", tape=end.tape.append(ToolResult(content="1", tool_call_id="a"))
    )

    assert step.content_dict()["content"] == "I look."
    assert prompt.messages[2]["content"] == "I look."


async def test_the_prompt_is_what_the_last_call_said_around_the_steps() -> None:
    recorded = RecordedPrompt(
        opening=(system_message("You browse."), user_message("Write JSON steps.")),
        closing=(user_message("Give one step."),),
        tools=(WEATHER_TOOL,),
        response_format={"type": "json_object"},
    )

    _, _, (prompt,) = await go_on(json.dumps(DONE), recorded=recorded)

    texts = [message.text for message in prompt.messages]
    assert texts[:2] == ["You browse.", "Write JSON steps."]
    assert texts[2:-1] == [step.llm_view() for step in ASKED.steps]
    assert texts[-1] == "Give one step."
    assert (prompt.tools, prompt.response_format) == ((WEATHER_TOOL,), {"type": "json_object"})


async def test_what_is_asked_of_the_agent_stays_whole_in_a_prompt_that_is_shortened() -> None:
    task = UnknownStep.model_validate({"kind": "task", "task": "x" * 50_000})
    page = UnknownStep.model_validate({"kind": "page_observation", "text": "y" * 50_000})

    _, _, (prompt,) = await go_on(json.dumps(DONE), tape=Tape(steps=(task, page)))

    assert prompt.messages[1].text == task.llm_view()
    assert "more characters are left out here" in prompt.messages[2].text
    assert prompt.model_extra == {"shortened": {"messages": 1, "characters": 48_046}}


async def test_a_model_is_told_the_form_of_steps_where_no_call_says_it() -> None:
    chat = Tape(steps=(UserStep(content="Hi"),))

    _, _, (web, *_) = await go_on(json.dumps(DONE))
    _, _, (talk, *_) = await go_on("Hello", tape=chat)

    assert web.messages[0].text == SYSTEM + STEP_FORM
    assert talk.messages[0].text == SYSTEM


async def test_its_steps_make_training_texts() -> None:
    end, _, _ = await go_on(json.dumps(THOUGHT), '{broken "kind"', json.dumps([THOUGHT, DONE]))

    own = Tape(steps=end.tape.steps)
    texts = await make_training_text(build(Model()), Tape(steps=ASKED.steps[:1] + own.steps[3:]))

    answers = [text.output_text.removesuffix("<|end|>") for text in texts]
    assert answers[1] == '{broken "kind"'
    assert [json.loads(answers[at]) for at in (0, 2)] == [THOUGHT, [THOUGHT, DONE]]
