"""The supervisor of a run: people's requests to its job, its budget, and their messages to it.

People's requests are stored in the job's control, which the host keeps up to date in memory, so
that a run may check it at every step. What is used up (a message, an approval) is removed from the
job's row in a transaction, because the copy in memory may be slightly out of date.
"""

import asyncio
import logging
import time
from collections.abc import Sequence

from tapes_app.engine.environment.actions import PendingAction
from tapes_app.engine.environment.supervision import Deadline, Halt, SafePoint, Supervisor
from tapes_app.engine.model.llm import LLMCall
from tapes_app.engine.tape.dialog_steps import UserStep
from tapes_app.engine.tape.steps import Step
from tapes_app.jobs.domain.protocol import Event
from tapes_app.jobs.domain.run_result import CutAction
from tapes_app.jobs.services.context import JobContext
from tapes_app.jobs.store.granting import take_approval
from tapes_app.runs.domain.decisions import Rules, decide, explain_time, place_of
from tapes_app.runs.domain.progress import RunProgress, Spent
from tapes_app.runs.domain.request import RunRequest

logger = logging.getLogger(__name__)


class RunWatch(Supervisor):
    """Watches one attempt at a run; must be created inside the event loop."""

    def __init__(self, context: JobContext, request: RunRequest, progress: RunProgress) -> None:
        self.outside_stop = ""
        """Why the experiment of the run wants it to stop."""

        self._context = context
        self._request = request
        self._progress = progress
        self._started = time.monotonic()
        self._seconds_before = progress.spent.seconds
        self._heard: set[str] = set()
        self._used_approvals: set[str] = set()
        self._cut_actions: list[CutAction] = []
        limit = request.budget.seconds
        if limit is not None:
            left = max(0.0, limit - progress.spent.seconds)
            at = asyncio.get_running_loop().time() + left
            self.deadline = Deadline(at, Halt("budget", explain_time(limit)))

    @property
    def is_stepping(self) -> bool:
        return self._context.control.is_stepping

    @property
    def progress(self) -> RunProgress:
        """How far the run is now, over all its attempts."""
        return self._progress.model_copy(update={"spent": self._spent()})

    def note_call(self, call: LLMCall | None) -> None:
        if call is not None:
            spent = self._progress.spent.plus(call)
            self._progress = self._progress.model_copy(update={"spent": spent})

    def check(self, point: SafePoint) -> Halt | None:
        rules = Rules(
            until=self._request.until,
            budget=self._request.budget,
            spent=self._spent(),
            control=self._context.control,
            passed=self._progress.passed,
            outside_stop=self.outside_stop,
        )
        halt = decide(point, rules)
        if halt is not None:
            self._progress = self._progress.model_copy(update={"passed": place_of(point)})
        return halt

    def take_messages(self) -> Sequence[Step]:
        new = [item for item in self._context.control.messages if item.id not in self._heard]
        self._heard.update(message.id for message in new)
        self._shift_passed(len(new))
        steps = [UserStep.from_text(item.text, item.attachments) for item in new]
        return [step.with_metadata(id=item.id) for step, item in zip(steps, new, strict=True)]

    def note_cut(self, pending: PendingAction, *, is_left_behind: bool) -> None:
        call = pending.tool_call
        self._cut_actions.append(
            CutAction(
                position=pending.position,
                tool=pending.name,
                call_id=call.id if call is not None else "",
                is_left_behind=is_left_behind,
            )
        )
        if is_left_behind:
            logger.warning("%r was interrupted and may still be running", pending.name)

    @property
    def cut_actions(self) -> tuple[CutAction, ...]:
        """The actions that this attempt interrupted before their result arrived."""
        return tuple(self._cut_actions)

    def _shift_passed(self, count: int) -> None:
        """Keep a breakpoint passed when messages are inserted before the node it is at."""
        if self._progress.passed is not None and self._progress.passed[0] == "node":
            position = int(self._progress.passed[1]) + count
            passed = ("node", str(position))
            self._progress = self._progress.model_copy(update={"passed": passed})

    def was_read(self, message_id: str) -> bool:
        """Return whether the agent got a message; its id is that of its step."""
        return message_id in self._heard

    async def use_approval(self, pending: PendingAction) -> bool:
        """Use up a person's approval of an action.

        The approval is removed before the action begins: if the worker dies in between, the run
        asks again, and never repeats what cannot be undone.
        """
        key = pending.key
        if key in self._used_approvals or key not in self._context.control.approvals:
            return False
        self._used_approvals.add(key)
        progress = self._progress.model_copy(update={"begun": (*self._progress.begun, key)})
        granted: list[bool] = []

        def use_up() -> list[Event]:
            checkpoint = progress.to_json()
            taken = take_approval(self._context.job.id, key, checkpoint=checkpoint)
            granted.append(taken is not None)
            return [] if taken is None else list(taken.events)

        await self._context.commit(use_up)
        self._progress = progress
        return granted[-1]

    def was_started(self, pending: PendingAction) -> bool:
        """Return whether an action was started before and its result never arrived."""
        return pending.key in self._progress.begun

    def _spent(self) -> Spent:
        spent = self._progress.spent
        seconds = self._seconds_before + time.monotonic() - self._started
        return spent.model_copy(update={"seconds": seconds})
