"""Runs of agents that were called together: at the same time, cancelled, waiting, halted."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest

from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.orchestrator import main_loop, run_to_end
from tapes_app.engine.agent.spec import environment_of
from tapes_app.engine.environment.actions import PendingAction, unfulfilled_actions
from tapes_app.engine.environment.environment import Environment
from tapes_app.engine.environment.events import (
    LoopEvent,
    LoopFinished,
    NodeCancelled,
    NodeFinished,
    NodeStarted,
    StepAdded,
)
from tapes_app.engine.environment.state import read_state
from tapes_app.engine.environment.supervision import (
    BeforeNode,
    Halt,
    NodeRan,
    SafePoint,
    Supervisor,
)
from tapes_app.engine.errors import LLMError
from tapes_app.engine.model.llm import LLMEvent, LLMOutput, Prompt
from tapes_app.engine.tape.control_steps import CallTogether, FinalStep, Join, MemberCall, Respond
from tapes_app.engine.tape.dialog_steps import AssistantStep, UserStep
from tapes_app.engine.tape.steps import Step
from tapes_app.engine.tape.tape import Tape
from tests.engine.builders import build_steps_node, build_tape
from tests.engine.lane_teams import EchoLLM, Seen, Shape, WorkNode, World, build_lane_team


class TurnsLLM(EchoLLM):
    """Lets its callers finish in a given order of their tasks, one for each node run that ends."""

    def __init__(self, *order: str) -> None:
        self._turns = {task: asyncio.Event() for task in order}
        self._left = list(order)
        self.go_on()

    def go_on(self) -> None:
        if self._left:
            self._turns[self._left.pop(0)].set()

    async def stream(self, prompt: Prompt) -> AsyncIterator[LLMEvent]:
        turn = self._turns.get(prompt.messages[0].text)
        if turn is not None:
            await turn.wait()
        async for event in super().stream(prompt):
            yield event


class NeverLLM(EchoLLM):
    """Answers all tasks but one."""

    def __init__(self, silent: str = "task 1") -> None:
        self.silent = silent
        self.was_closed = False

    async def stream(self, prompt: Prompt) -> AsyncIterator[LLMEvent]:
        if prompt.messages[0].text == self.silent:
            try:
                await asyncio.get_running_loop().create_future()
            finally:
                self.was_closed = True
        async for event in super().stream(prompt):
            yield event


class BreakingLLM(EchoLLM):
    is_broken = True

    async def stream(self, prompt: Prompt) -> AsyncIterator[LLMEvent]:
        if self.is_broken and prompt.messages[0].text == "task 1":
            raise LLMError("The line is down.")
        async for event in super().stream(prompt):
            yield event


async def events_of(
    agent: Agent, tape: Tape, environment: Environment | None = None, **options: Any
) -> list[LoopEvent]:
    found: list[LoopEvent] = []
    async for event in main_loop(agent, tape, environment or World(), **options):
        found.append(event)
        llm = agent.llms["default"]
        if isinstance(event, NodeFinished) and event.call and isinstance(llm, TurnsLLM):
            llm.go_on()
    return found


def end_of(events: Sequence[LoopEvent]) -> LoopFinished:
    assert isinstance(events[-1], LoopFinished)
    return events[-1]


def lanes_of(tape: Tape) -> list[str]:
    return [step.metadata.lane for step in tape if step.metadata.lane]


@pytest.mark.parametrize("order", [("task 0", "task 1"), ("task 1", "task 0")])
async def test_the_recorded_order_is_the_order_of_finishing(order: tuple[str, str]) -> None:
    team = build_lane_team((Shape(0), Shape(0)), llm=TurnsLLM(*order))

    events = await events_of(team, build_tape())

    tape = end_of(events).tape
    assert lanes_of(tape) == [str(int(task[-1]) + 1) for task in order]
    started = [event.lane for event in events if isinstance(event, NodeStarted)]
    assert started[1:3] == ["1", "2"], "both were at work before one had finished"
    added = [event for event in events if isinstance(event, StepAdded)]
    assert [event.position for event in added] == list(range(1, len(tape)))
    assert [event.step for event in added] == list(tape.steps[1:])


async def test_a_node_run_arrives_in_one_piece_whatever_the_others_do() -> None:
    team = build_lane_team((Shape(2), Shape(2), Shape(below=(Shape(1), Shape(1)))))

    events = await events_of(team, build_tape())

    recorded = [event for event in events if isinstance(event, StepAdded | NodeFinished)]
    for at, event in enumerate(recorded):
        if isinstance(event, StepAdded) and event.step.metadata.prompt_id:
            following = recorded[at + 1]
            own = event.step.metadata.prompt_id
            assert own == (
                following.step.metadata.prompt_id
                if isinstance(following, StepAdded)
                else following.prompt_id
            )


async def test_the_first_answer_cancels_the_others_and_leaves_nothing_of_their_node_runs() -> None:
    llm = NeverLLM()
    team = build_lane_team((Shape(1), Shape(1)), join="first", llm=llm)

    events = await events_of(team, build_tape())

    end = end_of(events)
    join = next(step for step in end.tape if isinstance(step, Join))
    assert (end.status, join.answered, join.cancelled) == ("finished", (1,), (2,))
    assert set(lanes_of(end.tape)) == {"1"}
    assert llm.was_closed
    unfinished = next(
        event for event in events if isinstance(event, NodeStarted) and event.lane == "2"
    )
    cancelled = [event.prompt_id for event in events if isinstance(event, NodeCancelled)]
    assert cancelled == [unfinished.prompt.id]


async def test_a_quorum_waits_for_as_many_as_it_needs() -> None:
    team = build_lane_team((Shape(0), Shape(0), Shape(1)), join=2, llm=NeverLLM())

    tape = end_of(await events_of(team, build_tape())).tape

    join = next(step for step in tape if isinstance(step, Join))
    assert (join.answered, join.cancelled) == ((1, 3), (2,))


async def test_a_prefix_with_enough_answers_is_joined_without_asking_anybody() -> None:
    team = build_lane_team((Shape(0), Shape(0)), join="first")
    tape = end_of(await events_of(team, build_tape())).tape
    answered = next(at for at, step in enumerate(tape) if isinstance(step, Respond))

    events = await events_of(team, tape.fork(answered + 1))

    assert isinstance(events[0], StepAdded)
    assert isinstance(events[0].step, Join)


async def test_a_lane_that_was_cut_in_a_node_run_is_completed_from_its_recorded_answer() -> None:
    team = build_lane_team((Shape(1), Shape(0)), llm=TurnsLLM("task 1", "task 0"))
    tape = end_of(await events_of(team, build_tape())).tape
    at = next(at for at, step in enumerate(tape) if step.kind == "set_next_node")
    outputs = {
        tape[at].metadata.prompt_id: LLMOutput(content=tape[at + 1].content_dict()["content"])
    }

    events = await events_of(team, tape.fork(at + 1), recorded_outputs=outputs)

    assert isinstance(events[0], StepAdded)
    assert (events[0].position, events[0].step.metadata.lane) == (at + 1, "1")
    assert events[0].step.content_equals(tape[at + 1])


def build_asking_team() -> Agent:
    """Two members ask a person, a third only thinks."""
    asking = [
        Agent.create(
            name,
            nodes=[
                build_steps_node(AssistantStep(content=f"{name}?"), name="ask"),
                WorkNode(name="answer"),
            ],
        )
        for name in ("ann", "bob")
    ]
    calls = tuple(MemberCall(agent_name=name, content=name) for name in ("ann", "bob", "cyd"))
    return Agent.create(
        "boss",
        llms=EchoLLM(),
        nodes=[
            build_steps_node(CallTogether(calls=calls), name="call"),
            build_steps_node(FinalStep(), name="stop"),
        ],
        subagents=[*asking, Agent.create("cyd", nodes=[WorkNode(name="think", rounds=2)])],
    )


async def test_a_question_to_a_person_stops_only_its_own_lane() -> None:
    from tapes_app.engine.environment.human import HumanEnvironment

    team, person = build_asking_team(), HumanEnvironment()

    first = await run_to_end(team, build_tape(), person)
    asked = unfulfilled_actions(first.tape)
    reply = UserStep(content="yes").with_metadata(lane=asked[0].action.metadata.lane)
    second = await run_to_end(team, first.tape.append(reply), person)

    assert first.status == second.status == "external_input_needed"
    assert [step.kind for step in first.tape if step.metadata.lane == "3"][-1] == "respond"
    assert first.waits_for is not None
    assert (first.waits_for.position, asked[0].position) == (2, 2)
    answer = next(
        step for step in second.tape if step.metadata.agent == "boss/ann" and step.kind == "respond"
    )
    assert answer.content_dict()["content"] == "3|yes"
    assert [item.name for item in unfulfilled_actions(second.tape)] == ["assistant"]
    other = UserStep(content="no").with_metadata(lane="2")
    assert (await run_to_end(team, second.tape.append(other), person)).status == "finished"


class Stopper(Supervisor):
    """Halts once, at a kind of place."""

    def __init__(self, kind: type[SafePoint], agent: str) -> None:
        self._kind, self._agent = kind, agent
        self.seen: list[SafePoint] = []

    def check(self, point: SafePoint) -> Halt | None:
        self.seen.append(point)
        is_there = isinstance(point, BeforeNode | NodeRan) and point.agent == self._agent
        return Halt("paused", "Enough.") if is_there and isinstance(point, self._kind) else None


async def test_a_halt_in_one_lane_stops_all_where_nothing_is_lost() -> None:
    team = build_lane_team((Shape(2), Shape(2)), llm=TurnsLLM("task 0", "task 1"))
    stopper = Stopper(NodeRan, "boss/m0")

    events = await events_of(team, build_tape(), supervisor=stopper)
    paused = end_of(events)
    resumed = await run_to_end(team, paused.tape, World())

    assert (paused.status, paused.message) == ("paused", "Enough.")
    assert lanes_of(paused.tape) == ["1", "1", "2", "2"], "the other finished its node run"
    ran = next(
        point for point in stopper.seen if isinstance(point, NodeRan) and point.agent == "boss/m0"
    )
    assert paused.tape[ran.position].metadata.agent == "boss/m0"
    assert resumed.status == "finished"


async def test_when_one_lane_fails_the_others_finish_what_they_are_at() -> None:
    llm = BreakingLLM()
    team = build_lane_team((Shape(1), Shape(0)), llm=llm)
    tape = build_tape()

    async def follow() -> None:
        nonlocal tape
        async for event in main_loop(team, tape, World()):
            if isinstance(event, StepAdded):
                tape = tape.append(event.step)

    with pytest.raises(LLMError, match="line is down"):
        await follow()
    llm.is_broken = False
    resumed = await run_to_end(team, tape, World())

    assert lanes_of(tape) == ["1", "1"]
    assert resumed.status == "finished"
    assert resumed.tape.steps[: len(tape)] == tape.steps


async def test_a_failure_does_not_matter_once_enough_have_answered() -> None:
    team = build_lane_team((Shape(0), Shape(0)), join="first", llm=BreakingLLM())

    assert (await run_to_end(team, build_tape(), World())).status == "finished"


class CountingWorld(World):
    """Counts in the state of the tape, and notices whether two actions met."""

    def __init__(self) -> None:
        self.inside = 0
        self.most = 0

    async def observe(self, pending: PendingAction, tape: Tape) -> Sequence[Step]:
        self.inside += 1
        self.most = max(self.most, self.inside)
        await asyncio.sleep(0)
        self.inside -= 1
        assert tape[pending.position].kind == "lane_look"
        count = (read_state(tape.steps) or {}).get("count", 0) + 1
        return [Seen(what=str(count)).with_metadata(other={"state": {"count": count}})]


async def test_lanes_act_in_one_world_one_at_a_time_unless_it_allows_more() -> None:
    world = CountingWorld()
    nested = Shape(below=(Shape(2, looks=True), Shape(1, looks=True)))
    team = build_lane_team((Shape(2, looks=True), nested))

    tape = (await run_to_end(team, build_tape(), world)).tape

    seen = [step.what for step in tape if isinstance(step, Seen)]
    assert (seen, world.most) == (["1", "2", "3", "4", "5"], 1)


async def test_a_stop_step_of_a_member_ends_the_session() -> None:
    quitter = Agent.create("quitter", nodes=[build_steps_node(FinalStep(), name="quit")])
    slow = Agent.create("slow", nodes=[WorkNode(name="work")])
    calls = (MemberCall(agent_name="quitter"), MemberCall(agent_name="slow", content="task 1"))
    team = Agent.create(
        "boss",
        llms=NeverLLM(),
        nodes=[build_steps_node(CallTogether(calls=calls), name="call")],
        subagents=[quitter, slow],
    )

    end = await run_to_end(team, build_tape(), World())

    assert (end.status, end.tape.steps[-1].kind) == ("finished", "final_step")
    again = await run_to_end(team, end.tape, World())
    assert (again.status, len(again.tape)) == ("finished", len(end.tape))


async def test_a_cancelled_run_cancels_all_lanes() -> None:
    llm = NeverLLM()
    team = build_lane_team((Shape(1), Shape(1)), llm=llm)
    loop = main_loop(team, build_tape(), World())
    has_begun = asyncio.Event()

    async def follow() -> None:
        async for event in loop:
            if isinstance(event, StepAdded) and event.step.kind == "respond":
                has_begun.set()

    task = asyncio.ensure_future(follow())
    await has_begun.wait()
    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task
    await loop.aclose()
    assert llm.was_closed


async def test_a_person_who_only_watches_a_team_without_tools_needs_no_environment() -> None:
    team = build_lane_team((Shape(1), Shape(0)))

    assert (await run_to_end(team, build_tape(), environment_of(team))).status == "finished"
