import pytest

from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.replay import replay_tape
from tapes_app.engine.agent.reuse import comparable, reuse_tape
from tapes_app.engine.agent.training_text import TrainingText, make_training_text
from tapes_app.engine.environment.events import NodeFinished
from tapes_app.engine.errors import ReuseError, TrainingTextError
from tapes_app.engine.model.llm import LLMCall, LLMOutput
from tapes_app.engine.tape.dialog_steps import AssistantThought, ToolCalls, UserStep
from tapes_app.engine.tape.splice import ReplaceStep, splice
from tapes_app.engine.tape.tape import Tape
from tests.engine.builders import AskNode, SayNode, ThinkNode, build_talker, build_tape


async def recorded_run(agent: Agent) -> tuple[Tape, dict[str, LLMCall]]:
    stream = agent.run(build_tape())
    calls = {}
    async for event in stream:
        if isinstance(event, NodeFinished) and event.call is not None:
            calls[event.prompt_id] = event.call
    return stream.tape, calls


async def test_replaying_a_recorded_tape_finds_nothing() -> None:
    agent = build_talker()
    tape, calls = await recorded_run(agent)

    result = await replay_tape(agent, tape, calls)

    assert result.is_identical
    assert result.node_run_count == 2


async def test_a_changed_step_is_found_with_a_diff() -> None:
    agent = build_talker()
    tape, calls = await recorded_run(agent)
    edit = ReplaceStep(position=1, step={"kind": "assistant_thought", "content": "other"})

    divergence = (await replay_tape(agent, splice(tape, [edit], author="me"), calls)).divergence

    assert divergence is not None
    assert (divergence.position, divergence.reason) == (1, "steps")
    assert '-  "content": "other"' in divergence.diff
    assert '+  "content": "a thought"' in divergence.diff


async def test_a_changed_prompt_is_found_with_a_diff() -> None:
    tape, calls = await recorded_run(build_talker())
    other = Agent.create("talker", nodes=[AskNode(name="think"), SayNode(name="say")])

    divergence = (await replay_tape(other, tape, calls)).divergence

    assert divergence is not None
    assert (divergence.position, divergence.reason) == (1, "prompt")
    assert "Well?" in divergence.diff


async def test_another_node_is_named() -> None:
    tape, calls = await recorded_run(build_talker())
    other = Agent.create("talker", nodes=[ThinkNode(name="muse"), SayNode(name="say")])

    divergence = (await replay_tape(other, tape, calls)).divergence

    assert divergence is not None
    assert divergence.reason == "node"
    assert divergence.message == "The agent would run talker.muse, but the tape has talker.think."


async def test_a_missing_recording_is_said() -> None:
    agent = build_talker()
    tape, _ = await recorded_run(agent)

    divergence = (await replay_tape(agent, tape, {})).divergence

    assert divergence is not None
    assert divergence.reason == "no_recorded_call"


async def test_a_tape_of_another_agent_is_reused_under_the_own_name() -> None:
    tape, _ = await recorded_run(build_talker())
    student = Agent.create("student", nodes=[ThinkNode(name="think"), SayNode(name="say")])

    reused = await reuse_tape(student, tape)

    assert reused.tape.content_equals(tape)
    assert [s.metadata.agent for s in reused.tape.steps[1:]] == ["student"] * 3
    assert [call.output.content for call in reused.calls] == ["a thought", "an answer"]
    calls = {call.prompt.id: call for call in reused.calls}
    assert (await replay_tape(student, reused.tape, calls)).is_identical


async def test_a_tape_that_the_agent_would_not_write_is_refused_with_the_partial_tape() -> None:
    tape, _ = await recorded_run(build_talker())
    cut = tape.fork(3)

    with pytest.raises(ReuseError, match="from step 2 on") as error:
        await reuse_tape(build_talker(), cut)

    assert len(error.value.details["partial_tape"]["steps"]) == 2


def test_tool_call_ids_and_the_spelling_of_arguments_do_not_count() -> None:
    def calls(name: str, arguments: str) -> ToolCalls:
        call = {"id": name, "function": {"name": "f", "arguments": arguments}}
        return ToolCalls.model_validate({"tool_calls": [call]})

    assert comparable(calls("1", '{"a":1, "b":2}')) == comparable(calls("2", '{"b": 2, "a": 1}'))
    assert comparable(calls("1", '{"a":1}')) != comparable(calls("1", '{"a":2}'))


async def test_training_texts_hold_the_prompt_and_the_predicted_answer() -> None:
    tape, _ = await recorded_run(build_talker())

    samples = await make_training_text(build_talker(), tape)

    assert [sample.output_text for sample in samples] == ["a thought<|end|>", "an answer<|end|>"]
    assert samples[0].prompt_text == "<|user|>\nHello\n<|assistant|>\n"


async def test_training_text_fails_loudly_when_replay_gives_another_tape() -> None:
    tape = build_tape(UserStep(content="hi"), AssistantThought(content="x"), UserStep(content="?"))
    broken = Agent.create("talker", nodes=[_LyingNode(name="think"), SayNode(name="say")])

    with pytest.raises(TrainingTextError, match="from step 1 on"):
        await make_training_text(broken, tape)


def test_a_prediction_longer_than_its_text_is_refused() -> None:
    with pytest.raises(ValueError, match="n_predicted"):
        TrainingText(text="ab", n_predicted=3)


class _LyingNode(ThinkNode):
    def make_llm_output(self, agent: Agent, tape: Tape, index: int) -> LLMOutput:
        return LLMOutput(content="something else")
