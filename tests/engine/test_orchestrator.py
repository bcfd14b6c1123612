from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest

from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.nodes import Node
from tapes_app.engine.agent.orchestrator import main_loop, run_to_end
from tapes_app.engine.environment.actions import (
    ExternalInputNeeded,
    PendingAction,
    unfulfilled_actions,
)
from tapes_app.engine.environment.environment import Environment, EnvironmentGroup, NoEnvironment
from tapes_app.engine.environment.events import LoopFinished, StepAdded
from tapes_app.engine.errors import UnreadableAnswerError
from tapes_app.engine.model.llm import LLMStream, Prompt
from tapes_app.engine.prompts.parsing import parse_output
from tapes_app.engine.prompts.sound_messages import view_to_messages
from tapes_app.engine.tape.control_steps import FinalStep, SetNextNode
from tapes_app.engine.tape.dialog_steps import (
    PARSING_FAILURE,
    AssistantStep,
    ParsingFailure,
    ToolCalls,
    ToolResult,
    UserStep,
)
from tapes_app.engine.tape.steps import Step
from tapes_app.engine.tape.tape import Tape
from tests.engine.builders import (
    ListLLM,
    build_steps_node,
    build_talker,
    build_tape,
    signed,
    texts,
)


class Echo(Environment):
    """Answers every tool call with its number."""

    name = "echo"

    def __init__(self) -> None:
        self.count = 0

    async def observe(self, pending: PendingAction, tape: Tape) -> Sequence[Step]:
        if pending.tool_call is None:
            return await super().observe(pending, tape)
        self.count += 1
        return [ToolResult(content=self.count, tool_call_id=pending.tool_call.id)]


class Person(Environment):
    async def observe(self, pending: PendingAction, tape: Tape) -> Sequence[Step]:
        raise ExternalInputNeeded("Waiting for a person.")


def build_calls(*ids: str) -> ToolCalls:
    calls = [{"id": name, "function": {"name": "f", "arguments": "{}"}} for name in ids]
    return ToolCalls.model_validate({"tool_calls": calls})


def test_every_tool_call_wants_its_own_result() -> None:
    tape = build_tape(
        UserStep(content="go"), build_calls("a", "b"), ToolResult(content=1, tool_call_id="a")
    )

    pending = unfulfilled_actions(tape)

    assert [item.tool_call.id for item in pending if item.tool_call] == ["b"]


def test_past_exchanges_are_never_asked_again() -> None:
    answered = build_calls("a"), ToolResult(content=1, tool_call_id="a")
    tape = build_tape(*answered, AssistantStep(content="well"), UserStep(content="thanks"))

    assert unfulfilled_actions(tape) == []


def test_a_lost_answer_in_the_past_is_not_made_up_later() -> None:
    tape = build_tape(
        build_calls("a"), UserStep(content="x"), AssistantStep(content="y"), UserStep(content="z")
    )

    assert unfulfilled_actions(tape) == []


async def test_one_observation_for_each_tool_call_in_order() -> None:
    tape = await Echo().react(build_tape(build_calls("a", "b")))

    results = [step for step in tape if isinstance(step, ToolResult)]
    assert [(step.tool_call_id, step.content) for step in results] == [("a", 1), ("b", 2)]
    assert tape.metadata.author == "echo"


@pytest.mark.parametrize(
    ("step", "environment", "status"),
    [
        (FinalStep(), NoEnvironment(), "finished"),
        (AssistantStep(content="hi"), Person(), "external_input_needed"),
        (AssistantStep(content="hi"), NoEnvironment(), "unknown_action"),
    ],
)
async def test_the_loop_says_why_it_stopped(
    step: Step, environment: Environment, status: str
) -> None:
    agent = Agent.create("a", nodes=[build_steps_node(step)])

    end = await run_to_end(agent, build_tape(), environment)

    assert end.status == status


async def test_a_group_asks_each_environment_in_turn() -> None:
    group = EnvironmentGroup(Echo(), Person())

    tape = await group.react(build_tape(build_calls("a")))

    assert tape.steps[-1].kind == "tool"
    with pytest.raises(ExternalInputNeeded):
        await group.react(tape.append(signed(AssistantStep(content="hm"), "a")))


async def test_a_tape_that_has_stopped_runs_again_after_a_new_user_turn() -> None:
    agent = build_talker()
    stopped = build_tape(
        UserStep(content="hi"),
        signed(SetNextNode(next_node="think"), "talker", "say"),
        signed(FinalStep(), "talker", "say"),
    )

    assert (await run_to_end(agent, stopped, Person())).status == "finished"
    again = stopped.append(UserStep(content="one more"))
    end = await run_to_end(agent, again, Person())

    assert end.status == "external_input_needed"
    assert texts(end.tape.steps)[-1] == "an answer"


class ReadNode(Node):
    """Reads a final step out of what the model says."""

    def make_prompt(self, agent: Agent, tape: Tape) -> Prompt:
        return Prompt(messages=tuple(view_to_messages(agent.compute_view(tape).top, agent)))

    async def generate_steps(
        self, agent: Agent, tape: Tape, llm_stream: LLMStream
    ) -> AsyncIterator[Step]:
        output = await llm_stream.get_message()
        for step in parse_output(output, step_classes=[FinalStep], node_name=self.name):
            yield step


def build_reader(*answers: str) -> tuple[Agent, ListLLM]:
    llm = ListLLM(answers)
    return Agent.create("reader", llms=llm, nodes=[ReadNode(name="read")]), llm


DONE = '{"kind": "final_step", "reason": "done"}'


async def test_a_node_that_cannot_read_an_answer_runs_again_and_its_model_sees_why() -> None:
    agent, llm = build_reader("no JSON", DONE)

    end = await run_to_end(agent, build_tape(), Person())

    assert end.status == "finished"
    assert [step.kind for step in end.tape][1:] == [PARSING_FAILURE, "set_next_node", "final_step"]
    told = llm.prompts[1].messages[-1]
    assert told.role == "user"
    assert "Expected a step or a list of steps as JSON" in told.text
    assert told.text.endswith("no JSON")


@pytest.mark.parametrize("at", [1, 2, 3])
async def test_a_tape_that_stops_at_an_unreadable_answer_goes_on(at: int) -> None:
    agent, _ = build_reader("no JSON", DONE)
    events = [event async for event in main_loop(agent, build_tape(), Person())]
    whole = events[-1]
    assert isinstance(whole, LoopFinished)
    calls = {e.call.prompt.id: e.call.output for e in events if hasattr(e, "call") and e.call}

    again, _ = build_reader(*["no JSON", DONE][min(at - 1, 1) :])
    events = [
        event
        async for event in main_loop(again, whole.tape.fork(at), Person(), recorded_outputs=calls)
    ]

    assert isinstance(events[-1], LoopFinished)
    assert events[-1].tape.content_equals(whole.tape)


async def test_answers_that_stay_unreadable_end_the_turn_with_the_last_reason() -> None:
    agent, llm = build_reader(*["no JSON"] * 9)
    stream = agent.run(build_tape())

    with pytest.raises(UnreadableAnswerError, match=r"'read' .* 4 answers .* Expected a step"):
        await stream.get_final_tape()

    assert len(llm.prompts) == 4
    assert [step.kind for step in stream.tape].count(PARSING_FAILURE) == 4


def test_an_unreadable_answer_beside_an_action_wants_no_answer() -> None:
    failure = ParsingFailure(error="no", llm_output="{")

    assert unfulfilled_actions(build_tape(UserStep(content="go"), failure)) == []


async def test_two_calls_with_one_id_are_both_answered_also_after_a_cut() -> None:
    tape = build_tape(UserStep(content="go"), signed(build_calls("a", "a"), "talker"))

    answered = await Echo().react(tape)
    resumed = await Echo().react(answered.fork(3))

    assert texts(answered.steps[2:]) == ["1", "2"]
    assert len(resumed) == 4


async def test_resuming_from_every_prefix_gives_the_same_tail() -> None:
    events = [e async for e in main_loop(build_talker(), build_tape(), Person())]
    end = events[-1]
    assert isinstance(end, LoopFinished)
    calls = {e.call.prompt.id: e.call.output for e in events if hasattr(e, "call") and e.call}

    for at in range(1, len(end.tape)):
        agent = build_talker(_answers_from(at))
        resumed: list[Any] = [
            e async for e in main_loop(agent, end.tape.fork(at), Person(), recorded_outputs=calls)
        ]
        added = [e.position for e in resumed if isinstance(e, StepAdded)]

        assert added == list(range(at, len(end.tape)))
        assert resumed[-1].tape.content_equals(end.tape)


def _answers_from(at: int) -> list[str]:
    # Steps of the whole tape: user, thought, set_next_node, answer.
    return ["a thought", "an answer"][min(at, 2) - 1 :]
