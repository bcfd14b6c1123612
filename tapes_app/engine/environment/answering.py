"""One turn of an environment: every open action is answered, several in parallel where safe."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from copy import deepcopy

from tapes_app.engine.code_mistakes import describe_mistake
from tapes_app.engine.environment.actions import (
    ExternalInputNeeded,
    PendingAction,
    UnknownActionError,
    sign,
    unfulfilled_actions,
)
from tapes_app.engine.environment.environment import Environment
from tapes_app.engine.environment.events import StepAdded
from tapes_app.engine.environment.state import record_state
from tapes_app.engine.environment.supervision import ActionAnswered, BeforeAction, Halt, Supervisor
from tapes_app.engine.errors import CallRefusedError, StudioError
from tapes_app.engine.tape.steps import Step
from tapes_app.engine.tape.tape import Tape

MAX_PARALLEL = 32
"""How many actions are answered in parallel."""

STOP_SECONDS = 0.5
"""How long a cancelled action may take to clean up."""

_Open = tuple[PendingAction, asyncio.Future[Sequence[Step]]]
"""An action that is being answered."""


class Door:
    """Lets actions in that may run together, or one that must run alone.

    Agents that were called together share it: two of them may act at the same time.
    """

    def __init__(self) -> None:
        self._changed = asyncio.Condition()
        self._inside_count = 0
        self._is_locked = False

    @asynccontextmanager
    async def enter(self, *, alone: bool) -> AsyncIterator[None]:
        async with self._changed:
            await self._changed.wait_for(
                lambda: not self._is_locked and not (alone and self._inside_count)
            )
            self._inside_count += 1
            self._is_locked = alone
        try:
            yield
        finally:
            async with self._changed:
                self._inside_count -= 1
                self._is_locked = False
                self._changed.notify_all()


async def observe(environment: Environment, pending: PendingAction, tape: Tape) -> Sequence[Step]:
    """Return the observations of an action, with the state that the environment saved after it."""
    before = deepcopy(await environment.save_state())
    observations = await environment.observe(pending, tape)
    saved = await environment.save_state()
    # One that was not asked, because a wrapper answered, has nothing to say of the state.
    return observations if saved == before else record_state(observations, tape, saved)


class AnswerStream:
    """The observations of one turn, in the order of the actions.

    Afterwards `tape` has all of them, or `halt` or `refusal` explains why some are missing.
    """

    def __init__(
        self,
        environment: Environment,
        tape: Tape,
        supervisor: Supervisor | None = None,
        door: Door | None = None,
    ) -> None:
        self.environment = environment
        self.tape = tape
        self.halt: Halt | None = None
        self.refusal: ExternalInputNeeded | UnknownActionError | None = None
        """How an environment refused the first action that it could not answer."""

        self.refused: PendingAction | None = None
        self._supervisor = supervisor or Supervisor()
        self._door = door or Door()

    async def __aiter__(self) -> AsyncGenerator[StepAdded, None]:
        left = unfulfilled_actions(self.tape)
        while left and self.halt is None and self.refusal is None:
            group = self._next_group(left)
            left = left[len(group) :]
            if not group:
                return
            async with self._door.enter(alone=not self._may_join(group[0])):
                async for added in self._answer(group):
                    yield added

    def _next_group(self, left: Sequence[PendingAction]) -> list[PendingAction]:
        """Return the actions to answer together next; none if the run stops before them."""
        group: list[PendingAction] = []
        for pending in left:
            if group and (len(group) == MAX_PARALLEL or not self._may_join(pending)):
                break
            self.halt = self._supervisor.check(BeforeAction(pending, len(self.tape) + len(group)))
            if self.halt is not None:
                break
            group.append(pending)
            if not self._may_join(pending):
                break
        return group

    def _may_join(self, pending: PendingAction) -> bool:
        is_named = pending.tool_call is not None and bool(pending.tool_call.id)
        return (
            is_named
            and not self._supervisor.is_stepping
            and self.environment.can_run_together(pending)
        )

    async def _answer(self, group: list[PendingAction]) -> AsyncGenerator[StepAdded, None]:
        """Answer a group until the deadline.

        Results are kept even if one action was refused, another missed the deadline, or the run is
        cancelled in the meantime.
        """
        tape = self.tape
        left: list[_Open] = [
            (one, asyncio.ensure_future(observe(self.environment, one, tape))) for one in group
        ]
        cancelled: asyncio.CancelledError | None = None
        try:
            for pending, task in tuple(left):
                if cancelled is None:
                    try:
                        await asyncio.wait([task], timeout=self._seconds_left())
                    except asyncio.CancelledError as error:
                        cancelled = error
                if task.done():
                    left.remove((pending, task))
                    for added in self._take(pending, task):
                        yield added
            # Some answers arrived while the others were being stored.
            while done := [item for item in left if item[1].done()]:
                left.remove(done[0])
                for added in self._take(*done[0]):
                    yield added
        finally:
            is_late = await self._cut_off(left)
        if cancelled is not None:
            raise cancelled
        if is_late and self._supervisor.deadline is not None:
            self.halt = self._supervisor.deadline.halt

    def _take(
        self, pending: PendingAction, task: asyncio.Future[Sequence[Step]]
    ) -> Iterator[StepAdded]:
        """Put the answer to an action on the tape."""
        try:
            observations = task.result()
        except (ExternalInputNeeded, UnknownActionError) as refusal:
            if self.refusal is None:
                self.refusal, self.refused = refusal, pending
            return
        except CallRefusedError as refused:  # by a model that an environment asks
            self.halt = Halt("budget", refused.message, refused=refused)
            return
        except StudioError:
            raise
        except Exception as error:
            who = f"Environment {self.environment.name!r}, asked to answer {pending.name!r},"
            raise describe_mistake(who, error) from error
        position = len(self.tape)
        steps = [sign(step) for step in observations]
        for step in steps:
            yield StepAdded(len(self.tape), step)
            self.tape = self.tape.append(step, author=self.environment.name)
        halt = self._supervisor.check(ActionAnswered(pending, position, steps))
        self.halt = self.halt or halt

    def _seconds_left(self) -> float | None:
        deadline = self._supervisor.deadline
        if deadline is None:
            return None
        return max(0.0, deadline.at - asyncio.get_running_loop().time())

    async def _cut_off(self, left: Sequence[_Open]) -> bool:
        """Cancel what is still running, abandoning what does not stop; return whether any was."""
        late = [item for item in left if not item[1].done()]
        for _, task in late:
            task.cancel()
        if late:
            await asyncio.wait([task for _, task in late], timeout=STOP_SECONDS)
        for pending, task in late:
            can_be_stopped = task.done() and self.environment.can_be_stopped(pending)
            self._supervisor.note_cut(pending, is_left_behind=not can_be_stopped)
        for _, task in left:
            if task.done() and not task.cancelled():
                task.exception()  # retrieved, or asyncio logs that it never was
        return bool(late)
