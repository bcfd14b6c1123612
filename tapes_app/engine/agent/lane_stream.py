"""Agents that were called together go on at the same time, up to their join.

Each has a tape of its own (see `lanes`). What it adds is put on the tape of its caller as soon as
a node run or an answer is complete: the recorded order is the order of finishing.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from tapes_app.engine.environment.actions import PendingAction, sign
from tapes_app.engine.environment.answering import observe
from tapes_app.engine.environment.environment import Environment
from tapes_app.engine.environment.events import (
    AgentTurnFinished,
    EnvironmentTurnFinished,
    LoopEvent,
    LoopFinished,
    NodeCancelled,
    NodeFailed,
    NodeFinished,
    NodeStarted,
    StepAdded,
)
from tapes_app.engine.environment.supervision import (
    ActionAnswered,
    BeforeAction,
    Halt,
    SafePoint,
    Supervisor,
)
from tapes_app.engine.environment.wrapper import WrapperEnvironment
from tapes_app.engine.tape.growing_tape import GrowingTape
from tapes_app.engine.tape.lanes import Lane, list_open_lanes, put_in_lane
from tapes_app.engine.tape.steps import Step
from tapes_app.engine.tape.tape import Tape
from tapes_app.engine.tape.view import OpenLanes, compute_view_stack

StartLane = Callable[[Lane, Environment, Supervisor], AsyncGenerator[LoopEvent, None]]
"""Begins the loop of agent and environment on the tape of a lane."""

ANSWERED = "Enough of the agents that were called together have answered."
ENDED = "Another of the agents that were called together has ended the session."


class LaneStream:
    """The events of all lanes. Afterwards `tape` ends with the join, or `finished` says why not.

    A lane that waits for a person does not stop the others. One that is halted or fails stops them
    where nothing is lost: each finishes its node run or its actions first.
    """

    def __init__(
        self, tape: Tape, environment: Environment, supervisor: Supervisor, start: StartLane
    ) -> None:
        self.tape: Tape = GrowingTape.of(tape)
        self.halt: Halt | None = None
        """What stops the lanes that are still at work at their next safe point."""

        self.is_halted_from_outside = False
        self.finished: LoopFinished | None = None
        self.stopped_by: LoopFinished | None = None
        """How the first lane ended that stopped the others; a finished session comes first."""

        self.supervisor = supervisor
        self._lanes = [
            _RunningLane(lane, self, environment, start) for lane in list_open_lanes(self.tape)
        ]

    async def __aiter__(self) -> AsyncGenerator[LoopEvent, None]:
        try:
            while not self._is_joined() and (working := self._list_working()):
                for lane in working:
                    lane.advance()
                try:
                    await asyncio.wait(
                        [lane.step for lane in working if lane.step is not None],
                        return_when=asyncio.FIRST_COMPLETED,
                    )
                except asyncio.CancelledError:
                    for lane in working:
                        async for event in lane.cut_off():
                            for added in lane.lift(event):
                                yield added
                    raise
                for lane in working:
                    for added in lane.take():
                        yield added
            async for event in self._end():
                yield event
        finally:
            for lane in self._lanes:
                await lane.close()

    async def _end(self) -> AsyncGenerator[LoopEvent, None]:
        """Cancel what is still at work, which no longer counts, and join the rest."""
        ended = None if self._is_joined() else self._find_end()
        for lane in self._lanes:
            async for event in lane.cancel(ANSWERED if ended is None else ENDED):
                yield event
        if ended is not None:
            self.finished = replace(ended, tape=self.tape.settle())
            return
        join = sign(self._open.make_join())
        yield StepAdded(len(self.tape), join)
        self.tape = self.tape.append(join)

    def _find_end(self) -> LoopFinished:
        """Return how the run ends without a join; a person is asked what came first on the tape.

        Raises:
            Exception: what went wrong in a lane.
        """
        for lane in self._lanes:
            if lane.error is not None:
                raise lane.error
        waiting = [lane.ended for lane in self._lanes if lane.is_waiting and lane.ended is not None]
        return self.stopped_by or min(waiting, key=_place_of_question)

    @property
    def _open(self) -> OpenLanes:
        lanes = compute_view_stack(self.tape).lanes
        assert lanes is not None, "only the join closes them"
        return lanes

    def _is_joined(self) -> bool:
        """Return whether the caller goes on; a lane that has answered gets to its end before."""
        if self.is_halted_from_outside or not self._open.is_complete:
            return False
        answered = self._open.answered
        return not any(lane.is_working for lane in self._lanes if lane.number in answered)

    def _list_working(self) -> list["_RunningLane"]:
        if self.stopped_by is not None and self.stopped_by.status == "finished":
            return []
        working = [lane for lane in self._lanes if lane.is_working]
        return working[:1] if self.supervisor.is_stepping else working


def _place_of_question(end: LoopFinished) -> int:
    return end.waits_for.position if end.waits_for is not None else 0


class _RunningLane:
    """One agent at work: its loop, and what it has produced that is not on the outer tape yet."""

    def __init__(
        self, lane: Lane, stream: LaneStream, environment: Environment, start: StartLane
    ) -> None:
        self.path = lane.path
        self.number = int(lane.path)
        self.ended: LoopFinished | None = None
        self.error: BaseException | None = None
        self.step: asyncio.Task[LoopEvent] | None = None
        """The next event, while it is awaited."""

        self._stream = stream
        self._positions = list(lane.positions)
        self._node_runs: dict[str, list[StepAdded]] = {}
        """Steps of unfinished node runs, by prompt id; also of those in lanes below this one."""

        self._events = start(
            lane, _LaneEnvironment(environment, self), _LaneSupervisor(stream, self)
        )

    @property
    def is_working(self) -> bool:
        return self.ended is None and self.error is None

    @property
    def is_waiting(self) -> bool:
        return self.ended is not None and self.ended.status == "external_input_needed"

    @property
    def outer_tape(self) -> Tape:
        return self._stream.tape

    def advance(self) -> None:
        if self.step is None:
            self.step = asyncio.ensure_future(_next(self._events))

    def take(self) -> Iterator[LoopEvent]:
        """Yield what has happened in the lane, if anything has."""
        if self.step is None or not self.step.done():
            return
        step, self.step = self.step, None
        self.error = step.exception()
        if self.error is not None:
            self._stop_others(f"Another agent failed: {self.error}")
            return
        yield from self.lift(step.result())

    def lift(self, event: LoopEvent) -> Iterator[LoopEvent]:
        """Yield an event of the lane as one of the outer tape; a node run in one piece."""
        match event:
            case NodeStarted():
                self._node_runs[event.prompt.id] = []
                below = f"/{event.lane}" if event.lane else ""
                yield replace(event, lane=f"{self.path}{below}")
            case StepAdded() if event.step.metadata.prompt_id in self._node_runs:
                self._node_runs[event.step.metadata.prompt_id].append(event)
            case StepAdded():
                yield self._add(event.step)
            case NodeFinished() | NodeFailed():
                steps = self._node_runs.pop(event.prompt_id, [])
                if isinstance(event, NodeFinished) or event.keeps_steps:
                    for added in steps:
                        yield self._add(added.step)
                yield event
            case NodeCancelled():
                self._node_runs.pop(event.prompt_id, None)
                yield event
            case LoopFinished():
                self._end(event)
            case AgentTurnFinished() | EnvironmentTurnFinished():
                return  # these speak of the whole tape
            case _:
                yield event

    def _add(self, step: Step) -> StepAdded:
        position, on_outer = len(self.outer_tape), put_in_lane(step, self.path)
        self._stream.tape = self.outer_tape.append(on_outer)
        self._positions.append(position)
        return StepAdded(position, on_outer)

    def _end(self, finished: LoopFinished) -> None:
        waits_for = finished.waits_for
        self.ended = replace(finished, waits_for=waits_for and self.place_action(waits_for))
        if finished.status in ("ok", "external_input_needed"):
            return
        self._stop_others(finished.message)
        if self._stream.stopped_by is None or finished.status == "finished":
            self._stream.stopped_by = self.ended

    def _stop_others(self, reason: str) -> None:
        self._stream.halt = self._stream.halt or Halt("paused", reason)

    def place(self, position: int) -> int:
        """Return where a step of the lane is, or would be, on the outer tape."""
        ahead = position - len(self._positions)
        return self._positions[position] if ahead < 0 else len(self.outer_tape) + ahead

    def place_action(self, pending: PendingAction) -> PendingAction:
        return pending._replace(position=self.place(pending.position))

    async def cancel(self, reason: str) -> AsyncGenerator[LoopEvent, None]:
        """Cut the lane off: answers of its environment are kept, unfinished node runs are not."""
        async for event in self.cut_off():
            if isinstance(event, NodeFinished):
                failed = NodeFailed(
                    event.agent, event.node, event.prompt_id, event.call, error=reason
                )
                for lifted in self.lift(failed):
                    yield lifted
            else:
                for lifted in self.lift(event):
                    yield lifted
        for prompt_id in self._node_runs:
            yield NodeCancelled(prompt_id, reason)

    async def cut_off(self) -> AsyncGenerator[LoopEvent, None]:
        """Stop what the lane is doing, and yield what it has done until then."""
        step, self.step = self.step, None
        if step is None:
            return
        may_have_more = step.cancel()
        while True:
            await asyncio.wait([step])
            if step.cancelled() or step.exception() is not None:
                return
            yield step.result()
            if not may_have_more:
                return
            step = asyncio.ensure_future(_next(self._events))

    async def close(self) -> None:
        async for _ in self.cut_off():
            pass
        await self._events.aclose()


async def _next(events: AsyncGenerator[LoopEvent, None]) -> LoopEvent:
    return await anext(events)


class _LaneEnvironment(WrapperEnvironment):
    """Answers a lane's actions on the tape of its caller: all lanes act in one world."""

    def __init__(self, inner: Environment, lane: _RunningLane) -> None:
        super().__init__(inner)
        self._lane = lane

    async def save_state(self) -> dict[str, Any]:
        return {}  # `observe` records it, with what other lanes have changed

    async def observe(self, pending: PendingAction, tape: Tape) -> Sequence[Step]:
        del tape  # only the lane's part of the world
        placed = self._lane.place_action(pending)
        return await observe(self.inner, placed, self._lane.outer_tape)

    def can_run_together(self, pending: PendingAction) -> bool:
        return self.inner.can_run_together(self._lane.place_action(pending))

    def can_be_stopped(self, pending: PendingAction) -> bool:
        return self.inner.can_be_stopped(self._lane.place_action(pending))


class _LaneSupervisor(Supervisor):
    """Asks the supervisor of the run, with positions on its tape; a halt holds for all lanes."""

    def __init__(self, stream: LaneStream, lane: _RunningLane) -> None:
        self.deadline = stream.supervisor.deadline
        self._stream = stream
        self._lane = lane

    @property
    def is_stepping(self) -> bool:
        return self._stream.supervisor.is_stepping

    def check(self, point: SafePoint) -> Halt | None:
        if self._stream.halt is None:
            self._stream.halt = self._stream.supervisor.check(self._place(point))
            self._stream.is_halted_from_outside = self._stream.halt is not None
        return self._stream.halt

    def _place(self, point: SafePoint) -> SafePoint:
        position = self._lane.place(point.position)
        if isinstance(point, BeforeAction | ActionAnswered):
            pending = self._lane.place_action(point.pending)
            return point._replace(pending=pending, position=position)
        return point._replace(position=position)

    def take_messages(self) -> Sequence[Step]:
        return self._stream.supervisor.take_messages()

    def note_cut(self, pending: PendingAction, *, is_left_behind: bool) -> None:
        placed = self._lane.place_action(pending)
        self._stream.supervisor.note_cut(placed, is_left_behind=is_left_behind)
