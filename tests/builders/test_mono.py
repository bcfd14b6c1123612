"""One prompt with the whole tape and all allowed steps: read, written back, trimmed, stored."""

from datetime import date
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from tapes_app.builders import MonoNode, build_mono_agent
from tapes_app.engine import (
    Agent,
    AgentConfigError,
    AgentRunError,
    AssistantStep,
    FinalStep,
    LLMOutput,
    Observation,
    Respond,
    Step,
    Tape,
    Thought,
    ToolCall,
    ToolCalls,
    ToolResult,
    TrainingTextError,
    UserStep,
    environment_of,
    make_training_text,
    run_to_end,
    tool,
)
from tapes_app.engine.agent.spec import AgentSpec, build_agent, describe_agent
from tapes_app.engine.model.llm import replayed_stream
from tapes_app.engine.model.prompt_length import SHORTENED
from tapes_app.engine.prompts.answer_schema import make_steps_format, put_schema_in_prompt
from tapes_app.engine.tape.dialog_steps import PARSING_FAILURE
from tapes_app.llms.scripted import ScriptedLLM, answers_in_order
from tests.engine.strategies import json_values, texts


class Place(BaseModel):
    name: str
    near: tuple[str, ...] = ()


class Plan(Thought):
    kind: Literal["mono_plan"] = "mono_plan"
    places: tuple[Place, ...]
    day: date | None = None
    hours: float = Field(default=1, ge=0)


class Note(Thought):
    kind: Literal["mono_note"] = "mono_note"
    about: Any = None
    tags: frozenset[str] = frozenset()


class Seen(Observation):
    kind: Literal["mono_seen"] = "mono_seen"
    text: str


@tool
def measure(mountain: str) -> int:
    """Say how high a mountain is."""
    return 8849


CLASSES = (Plan, Note, AssistantStep, FinalStep, Respond)
ASKED = Tape(steps=(UserStep(content="Where to?"),))
PLAN = '{"steps": [{"kind": "mono_plan", "places": [], "day": null, "hours": 2}]}'
SAY = '{"kind": "assistant", "content": "To Bergen."}'
PAGE = "line of a page\n" * 4000

plans = st.builds(
    Plan,
    places=st.lists(st.builds(Place, name=texts, near=st.lists(texts, max_size=2).map(tuple))).map(
        tuple
    ),
    day=st.none() | st.dates(),
    hours=st.floats(min_value=0, allow_nan=False),
)
allowed_steps: st.SearchStrategy[Step] = st.one_of(
    plans,
    st.builds(Note, about=json_values, tags=st.frozensets(texts, max_size=3)),
    st.builds(AssistantStep, content=texts),
    st.builds(FinalStep, reason=texts),
    st.builds(Respond, content=json_values, copy_output=st.booleans()),
)
calls = st.builds(
    lambda mountain, content: ToolCalls(
        tool_calls=(
            ToolCall.model_validate(
                {"id": "a", "function": {"name": "measure", "arguments": {"mountain": mountain}}}
            ),
        ),
        content=content,
    ),
    texts,
    st.none() | st.text(min_size=1, max_size=9),
)
ANSWERS: Any = st.sampled_from(["structured", "json", "tool_calls"])


def build(*answers: LLMOutput | str, guidance: Any = "", **settings: Any) -> Agent:
    return build_mono_agent(
        "guide",
        "Plan trips.",
        steps=CLASSES,
        guidance=guidance,
        llms=ScriptedLLM(answers_in_order(answers)),
        **settings,
    )


async def run(agent: Agent, tape: Tape = ASKED) -> Tape:
    return (await run_to_end(agent, tape, environment_of(agent))).tape


def kinds_of(tape: Tape) -> list[str]:
    return [step.kind for step in tape][1:]


async def regenerate(agent: Agent, output: LLMOutput) -> list[Step]:
    node = agent.nodes[0]
    stream = replayed_stream(node.make_prompt(agent, ASKED), output)
    made = [step async for step in node.generate_steps(agent, ASKED, stream)]
    return [step for step in made if isinstance(step, Step)]


@given(st.lists(allowed_steps, min_size=1, max_size=3), ANSWERS)
async def test_any_allowed_steps_are_read_from_the_answer_that_is_made_of_them(
    steps: list[Step], answers: Any
) -> None:
    agent = build(answers=answers)
    made = await regenerate(agent, LLMOutput(content='{"kind": "final_step"}'))
    tape = ASKED.append(made[0], *steps[:-1], steps[-1])
    signed = tape.steps[:1] + tuple(step.with_metadata(prompt_id="p") for step in tape.steps[1:])

    output = agent.nodes[0].make_llm_output(agent, ASKED.with_steps(signed, author="ada"), 1)
    again = await regenerate(agent, output)

    assert [step.content_dict() for step in again[1:]] == [step.content_dict() for step in steps]


@given(calls, ANSWERS)
async def test_tool_calls_are_read_from_the_answer_that_is_made_of_them(
    step: ToolCalls, answers: Any
) -> None:
    agent = build(answers=answers, tools=[measure])
    turn, *_ = await regenerate(agent, step.to_llm_output())

    output = agent.nodes[0].make_llm_output(agent, ASKED.append(turn, step), 1)
    again = await regenerate(agent, output)

    assert again[1].content_equals(step)


async def test_its_nodes_run_in_order_and_the_last_one_repeats_until_it_acts() -> None:
    note = '{"steps": [{"kind": "mono_note"}]}'
    agent = build(PLAN, note, SAY, guidance={"plan": "Plan.", "act": "Act."})

    tape = await run(agent)

    assert kinds_of(tape) == [
        "mono_plan", "set_next_node", "mono_note", "set_next_node", "assistant",
    ]  # fmt: skip
    assert [step.metadata.node for step in tape][1:] == ["plan", "act", "act", "act", "act"]


async def test_the_prompt_is_the_schemas_then_the_tape_then_the_guidance() -> None:
    agent = build(guidance={"plan": "Plan first.", "act": "Act."}, tools=[measure])

    prompt = agent.nodes[0].make_prompt(agent, ASKED)

    system, *seen = prompt.messages
    assert system.text.startswith("Plan trips.\n\nAnswer with one JSON object")
    assert all(str(cls.model_fields["kind"].default) in system.text for cls in CLASSES)
    assert "reasoning_content" not in system.text
    assert [message.text for message in seen] == ["Where to?", "Plan first."]
    assert prompt.response_format == make_steps_format(CLASSES)
    assert prompt.tools == (measure.schema(),)


def test_the_form_is_strict_where_every_part_of_it_is_fixed() -> None:
    assert make_steps_format((Plan, FinalStep))["json_schema"]["strict"] is True
    assert make_steps_format((Plan, Note))["json_schema"]["strict"] is False


def test_a_provider_without_response_format_is_not_told_the_schemas_twice() -> None:
    agent = build()
    prompt = agent.nodes[0].make_prompt(agent, ASKED)

    mended = put_schema_in_prompt(prompt)

    assert mended.response_format is None
    assert mended.messages == prompt.messages


async def test_steps_may_be_calls_of_tools_named_like_them_and_text_is_said() -> None:
    call = LLMOutput.calling("mono_plan", places=[{"name": "Bergen", "near": []}])
    agent = build(call, "To Bergen.", answers="tool_calls")
    offered = agent.nodes[0].make_prompt(agent, ASKED)

    tape = await run(agent)

    assert [item["function"]["name"] for item in offered.tools or ()] == [
        "mono_plan", "mono_note", "final_step", "respond",
    ]  # fmt: skip
    assert offered.response_format is None
    assert kinds_of(tape)[1::2] == ["mono_plan", "assistant"]
    assert len(await make_training_text(agent, tape)) == 2


@pytest.mark.parametrize(
    "bad", ["no idea", '{"steps": []}', '{"kind": "fly"}', LLMOutput.calling("fly", far=True)]
)
async def test_an_answer_that_cannot_be_read_is_shown_asked_for_again_and_trainable(
    bad: LLMOutput | str,
) -> None:
    agent = build(bad, SAY, tools=[measure])

    tape = await run(agent)

    assert kinds_of(tape) == [PARSING_FAILURE, "set_next_node", "set_next_node", "assistant"]
    shown = agent.nodes[0].make_prompt(agent, tape).messages[2].text
    assert "Your answer could not be used" in shown
    assert len(await make_training_text(agent, tape)) == 2


async def test_answers_that_can_never_be_read_end_the_turn() -> None:
    with pytest.raises(AgentRunError, match=r"could not read 4 answers"):
        await run(build(*["no idea"] * 9))


async def test_tools_are_answered_and_the_same_node_goes_on() -> None:
    call = LLMOutput.calling("measure", mountain="Everest")
    agent = build(call, PLAN, SAY, guidance={"plan": "Plan.", "act": "Act."}, tools=[measure])

    tape = await run(agent)

    assert [step.metadata.node for step in tape if isinstance(step, Plan)] == ["plan"]
    assert kinds_of(tape)[:3] == ["set_next_node", "assistant", "tool"]
    assert len(await make_training_text(agent, tape)) == 3


def test_old_observations_are_shortened_near_the_limit_and_the_prompt_says_so() -> None:
    seen = [Seen(text=PAGE), ToolResult(content=PAGE, tool_call_id="a")]
    tape = Tape(steps=(UserStep(content=PAGE), *seen, Seen(text="short")))
    agent = build()

    prompt = agent.nodes[0].make_prompt(agent, tape)

    noted = (prompt.model_extra or {})[SHORTENED]
    assert noted["messages"] == 2
    lengths = [len(message.text) for message in prompt.messages[1:]]
    assert lengths[0] == len(PAGE)
    assert max(lengths[1:]) < 3_000
    assert SHORTENED not in (agent.nodes[0].make_prompt(agent, ASKED).model_extra or {})


async def test_it_comes_back_from_its_spec() -> None:
    agent = build(guidance={"plan": "Plan.", "act": "Act."}, answers="json", tools=[measure])

    stored = describe_agent(agent, models={"default": "any"})
    spec = AgentSpec.model_validate_json(stored.model_dump_json())
    again = build_agent(spec, lambda _: ScriptedLLM(answers_in_order([PLAN, SAY])))

    assert again.nodes == agent.nodes
    assert spec.nodes[0].settings["steps"] == [
        "mono_plan", "mono_note", "assistant", "final_step", "respond",
    ]  # fmt: skip
    assert kinds_of(await run(again))[-1] == "assistant"


async def test_a_step_that_it_may_not_write_cannot_be_trained_on() -> None:
    tape = ASKED.append(ToolCalls(tool_calls=()), author="guide")

    with pytest.raises(TrainingTextError, match="Node 'act' writes"):
        await make_training_text(build(), tape)


def test_what_it_may_next_can_be_drawn() -> None:
    agent = build(guidance={"plan": "Plan.", "act": "Act."}, tools=[measure])

    routes = [[route.node for route in node.list_routes(agent)] for node in agent.nodes]

    assert routes == [["plan", "act"], ["act", "act"]]


@pytest.mark.parametrize("turn", ["plan", 0])
async def test_the_node_after_its_steps_can_be_named_or_numbered(turn: str | int) -> None:
    nodes = [MonoNode(name="plan", steps=CLASSES), MonoNode(name="act", steps=CLASSES)]
    nodes[1] = nodes[1].model_copy(update={"after_answer": turn})
    llm = ScriptedLLM(answers_in_order([PLAN, PLAN, SAY]))
    agent = Agent.create("again", llms=llm, templates={"system": "Plan."}, nodes=nodes)

    tape = await run(agent)

    assert [step.metadata.node for step in tape][1:] == ["plan", "act", "act", "plan"]
    assert [route.node for route in nodes[1].list_routes(agent)] == [turn]
    assert len(await make_training_text(agent, tape)) == 3


async def test_the_node_after_tool_calls_can_be_named() -> None:
    act = MonoNode(name="act", steps=CLASSES, tools=[measure], after_tools="plan")
    nodes = [MonoNode(name="plan", steps=CLASSES), act]
    measured = LLMOutput.calling("measure", mountain="Everest")
    llm = ScriptedLLM(answers_in_order([PLAN, measured, PLAN, SAY]))
    agent = Agent.create("again", llms=llm, templates={"system": "Plan."}, nodes=nodes)

    tape = await run(agent)

    asked = [step.metadata.node for step in tape if step.kind not in ("set_next_node", "tool")]
    assert asked[1:] == ["plan", "act", "plan", "act"]
    assert [route.node for route in act.list_routes(agent)] == ["plan", "act"]
    assert len(await make_training_text(agent, tape)) == 4


@pytest.mark.parametrize(
    ("steps", "reason"),
    [
        ((), "may write no steps"),
        ((Seen,), "cannot write a Seen"),
        ((ToolCalls,), "it writes these by itself"),
        ((PARSING_FAILURE,), "it writes these by itself"),
        (("fly",), "no step of kind 'fly'"),
        ((3,), "not a step class"),
        ((Step,), "cannot write a Step"),
    ],
)
def test_steps_that_no_agent_writes_are_refused(steps: Any, reason: str) -> None:
    with pytest.raises(AgentConfigError, match=reason):
        MonoNode(steps=steps)


def test_guidance_named_like_the_instruction_is_refused() -> None:
    with pytest.raises(AgentConfigError, match="name of the instruction"):
        build(guidance={"system": "x"})
