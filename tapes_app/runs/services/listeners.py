"""Who wants to know how runs go: the linter and experiments register here; runs import neither."""

from tapes_app.jobs.services.context import JobContext
from tapes_app.jobs.services.registry import Outcome
from tapes_app.runs.request import RunRequest


class RunListener:
    """Hears of every run of this process; a subclass overrides what it wants to hear."""

    async def note_progress(self, context: JobContext, request: RunRequest) -> str:  # noqa: ARG002
        """Hear that a node run was stored; return why the run should stop, or an empty text."""
        return ""

    async def note_end(
        self,
        context: JobContext,  # noqa: ARG002
        request: RunRequest,  # noqa: ARG002
        outcome: Outcome,
    ) -> Outcome:
        """Hear how a run ended or came to rest; return how its job ends."""
        return outcome


_LISTENERS: list[RunListener] = []


def add_run_listener(listener: RunListener) -> None:
    """Register a listener; they are told in the order in which they came."""
    _LISTENERS.append(listener)


async def tell_progress(context: JobContext, request: RunRequest) -> str:
    """Tell everybody that a run continues; return the first reason to stop it."""
    reasons = [await listener.note_progress(context, request) for listener in _LISTENERS]
    return next(filter(None, reasons), "")


async def tell_end(context: JobContext, request: RunRequest, outcome: Outcome) -> Outcome:
    """Tell everybody that a run has ended; return what they made of its outcome."""
    for listener in _LISTENERS:
        outcome = await listener.note_end(context, request, outcome)
    return outcome
