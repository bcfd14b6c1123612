"""What builders make is resumed at every step, replayed, and keeps a model's reasoning."""

from collections.abc import Sequence
from typing import Literal

import pytest

from tapes_app.builders import (
    AssistantOutput,
    CallNode,
    FieldCompares,
    IfNode,
    Input,
    LLMFunctionNode,
    LLMFunctionTemplate,
    MonoNode,
    RationaleOutput,
    RespondNode,
    StepRef,
    build_mono_agent,
    build_team,
    build_worker,
)
from tapes_app.engine import (
    Agent,
    AssistantStep,
    LLMCall,
    LLMOutput,
    Respond,
    Tape,
    Thought,
    UserStep,
    environment_of,
    make_training_text,
    run_to_end,
    tool,
)
from tapes_app.engine.agent.orchestrator import main_loop
from tapes_app.engine.agent.replay import replay_tape
from tapes_app.engine.environment.events import LoopFinished, NodeFinished
from tapes_app.engine.model.reasoning import reasoning_of
from tapes_app.llms.recorded import RecordedLLM
from tapes_app.llms.scripted import ScriptedLLM, answers_in_order


class Topic(Thought):
    kind: Literal["resumed_topic"] = "resumed_topic"
    name: str


@tool
def measure(mountain: str) -> int:
    """Say how high a mountain is."""
    return 8849


ASKED = Tape(steps=(UserStep(content="How high?"),))
MEASURE = LLMOutput.calling("measure", mountain="Everest")


def build_pipeline() -> Agent:
    function = LLMFunctionTemplate(
        desc="Answer.",
        inputs=(Input(name="question"),),
        outputs=(RationaleOutput.for_output("answer"), AssistantOutput(name="answer")),
    )
    guide = build_mono_agent("guide", "Measure.", steps=[Respond], tools=[measure])
    is_high = FieldCompares(step=StepRef(kind="resumed_topic"), value="height")
    return Agent.create(
        "pipeline",
        templates={"system": "Say what it is about.", "answer": function},
        nodes=[
            MonoNode(name="topic", steps=[Topic]),
            IfNode(name="if", condition=is_high, then="call", otherwise="refuse"),
            RespondNode(name="refuse", content="No."),
            CallNode(name="call", subagent="guide", content=StepRef(kind="user")),
            LLMFunctionNode(
                name="answer", template_name="answer", input_refs=(StepRef(subagent="guide"),)
            ),
        ],
        subagents=[guide],
    )


PIPELINE = (
    "hm",
    '{"steps": [{"kind": "resumed_topic", "name": "height"}]}',
    MEASURE,
    '{"kind": "respond", "content": "8849"}',
    "8849",
    "say it. It is.\nAnswer: 8849 metres.",
)


def build_talk() -> Agent:
    guide = build_worker("guide", "Measure.", tools=[measure])
    other = build_mono_agent("other", "Doubt.", steps=[Respond])
    return build_team("talk", [guide, other], choose="model")


TALK = (
    '{"member": "guide"}',
    MEASURE,
    "8849.",
    "me",
    '{"member": "other"}',
    '{"kind": "respond", "content": "Sure?"}',
    '{"member": "nobody"}',
)

AGENTS = [
    pytest.param(build_pipeline(), PIPELINE, id="pipeline"),
    pytest.param(build_talk(), TALK, id="talk"),
]


async def record(agent: Agent, answers: Sequence[LLMOutput | str]) -> tuple[Tape, list[LLMCall]]:
    live = agent.with_llms({"default": ScriptedLLM(answers_in_order(answers))})
    calls: list[LLMCall] = []
    async for event in main_loop(live, ASKED, environment_of(live)):
        if isinstance(event, NodeFinished) and event.call is not None:
            calls.append(event.call)
        if isinstance(event, LoopFinished):
            assert len(calls) == len(answers)
            return event.tape, calls
    raise AssertionError("the loop has no end")


@pytest.mark.parametrize(("agent", "answers"), AGENTS)
async def test_a_tape_is_replayed_with_an_empty_diff_and_can_be_trained_on(
    agent: Agent, answers: Sequence[LLMOutput | str]
) -> None:
    tape, calls = await record(agent, answers)

    replayed = await replay_tape(agent, tape, {call.prompt.id: call for call in calls})

    assert replayed.divergence is None
    assert len(await make_training_text(agent, tape)) == len(answers)


@pytest.mark.parametrize(("agent", "answers"), AGENTS)
async def test_resuming_from_every_step_gives_the_same_tail(
    agent: Agent, answers: Sequence[LLMOutput | str]
) -> None:
    tape, calls = await record(agent, answers)
    outputs = {call.prompt.id: call.output for call in calls}

    for at in range(1, len(tape)):
        again = agent.with_llms({"default": RecordedLLM(calls)})
        loop = main_loop(again, tape.fork(at), environment_of(again), recorded_outputs=outputs)
        [end] = [event async for event in loop if isinstance(event, LoopFinished)]
        assert end.tape.content_equals(tape), at


@pytest.mark.parametrize("node", ["json", "function", "worker"])
async def test_reasoning_is_kept_on_the_tape_and_in_what_is_trained(node: str) -> None:
    function = LLMFunctionTemplate(desc="", outputs=(AssistantOutput(name="answer"),))
    agents = {
        "json": build_mono_agent("a", "b", steps=[AssistantStep]),
        "function": Agent.create(
            "a", templates={"f": function}, nodes=[LLMFunctionNode(template_name="f")]
        ),
        "worker": build_worker("a", "b"),
    }
    answers = {"json": '{"kind": "assistant", "content": "Hi."}'}
    said = LLMOutput(content=answers.get(node, "Hi."), reasoning_content="I greet.")
    agent = agents[node].with_llms({"default": ScriptedLLM(answers_in_order([said]))})

    tape = (await run_to_end(agent, ASKED, environment_of(agent))).tape

    assert reasoning_of(tape[-1]) == {"reasoning_content": "I greet."}
    assert len(await make_training_text(agent, tape)) == 1
