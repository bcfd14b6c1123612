"""Run listeners: the linter and experiments register here, so that runs need not import them."""

from tapes_app.jobs.services.context import JobContext
from tapes_app.jobs.services.registry import Outcome
from tapes_app.runs.domain.request import RunRequest


class RunListener:
    """Is notified of every run of this process; a subclass overrides the events it needs."""

    async def note_progress(self, context: JobContext, request: RunRequest) -> str:  # noqa: ARG002
        """Handle that a node run was stored; return why the run should stop, or an empty text."""
        return ""

    async def note_end(
        self,
        context: JobContext,  # noqa: ARG002
        request: RunRequest,  # noqa: ARG002
        outcome: Outcome,
    ) -> Outcome:
        """Handle the end or pause of a run; return the outcome of its job."""
        return outcome


_LISTENERS: list[RunListener] = []


def add_run_listener(listener: RunListener) -> None:
    """Register a listener; listeners are notified in the order of registration."""
    _LISTENERS.append(listener)


async def notify_progress(context: JobContext, request: RunRequest) -> str:
    """Notify all listeners that a run continues; return the first reason to stop it."""
    reasons = [await listener.note_progress(context, request) for listener in _LISTENERS]
    return next(filter(None, reasons), "")


async def notify_end(context: JobContext, request: RunRequest, outcome: Outcome) -> Outcome:
    """Notify all listeners that a run has ended; return the outcome after their changes."""
    for listener in _LISTENERS:
        outcome = await listener.note_end(context, request, outcome)
    return outcome
