from collections.abc import Sequence
from typing import Any

import pytest

from tapes_app.engine.agent import Agent
from tapes_app.engine.concurrency import run_concurrently
from tapes_app.engine.control_steps import FinalStep, SetNextNode
from tapes_app.engine.dialog_steps import AssistantStep, ToolCalls, ToolResult, UserStep
from tapes_app.engine.environment import (
    Environment,
    EnvironmentGroup,
    ExternalInputNeeded,
    NoEnvironment,
    PendingAction,
    unfulfilled_actions,
)
from tapes_app.engine.events import LoopFinished, StepAdded
from tapes_app.engine.orchestrator import main_loop, run_to_end
from tapes_app.engine.steps import Step
from tapes_app.engine.tape import Tape
from tests.engine.builders import build_steps_node, build_talker, build_tape, signed, texts


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


async def test_many_loops_run_at_once_with_a_limit() -> None:
    running = 0
    highest = 0

    async def loop(number: int) -> int:
        nonlocal running, highest
        running += 1
        highest = max(highest, running)
        end = await run_to_end(build_talker(), build_tape(), Person())
        running -= 1
        if number == 3:
            raise ValueError("three")
        return len(end.tape)

    tasks = [lambda number=number: loop(number) for number in range(20)]
    results = {number: result async for number, result in run_concurrently(tasks, limit=4)}

    assert highest == 4
    assert isinstance(results.pop(3), ValueError)
    assert set(results.values()) == {4}
