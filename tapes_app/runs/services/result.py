"""What a run leaves behind in its job: how it ended, what it spent, whom it waits for."""

from collections.abc import Sequence

from tapes_app.engine.environment import ExternalInputNeeded
from tapes_app.engine.errors import StudioError
from tapes_app.engine.events import LoopFinished
from tapes_app.jobs.run_result import Asks, CodeLine, CutAction, HitBreakpoint, RunResult
from tapes_app.jobs.store.job import Job


def describe_asked(finished: LoopFinished) -> Asks | None:
    """Return what a run waits for, with what its environment said of it."""
    pending, refusal = finished.waits_for, finished.refusal
    if pending is None or not isinstance(refusal, ExternalInputNeeded):
        return None
    call = pending.tool_call
    details = refusal.details
    return Asks(
        position=pending.position,
        kind=pending.action.kind,
        tool=call.function.name if call is not None else "",
        call_id=call.id if call is not None else "",
        message=finished.message,
        data_schema=details.get("data_schema"),
        answer_kind=str(details.get("answer_kind", "")),
        can_approve=bool(details.get("can_approve")),
    )


def describe_hit(finished: LoopFinished) -> HitBreakpoint | None:
    hit = finished.hit
    return HitBreakpoint.model_validate(hit._asdict()) if hit is not None else None


def describe_cut(actions: Sequence[CutAction]) -> str:
    """Return a sentence about actions that were cut off; empty when none was."""
    if not actions:
        return ""
    names = ", ".join(dict.fromkeys(repr(action.tool) for action in actions))
    left = ", ".join(dict.fromkeys(repr(one.tool) for one in actions if one.is_left_behind))
    said = f"Interrupted before its result arrived: {names}; resuming runs it again."
    if left:
        said += f" {left} could not be stopped and may still be running."
    return said


def list_code_lines(error: StudioError) -> tuple[CodeLine, ...]:
    """Return the last lines of an agent's own code that ran, where it broke."""
    return tuple(CodeLine.model_validate(frame) for frame in error.details.get("frames", ()))


def unopened_result(job: Job) -> RunResult:
    """Return the result of a run that cannot begin; what it did before that stays."""
    before = job.run or RunResult()
    return before.model_copy(update={"status": "unopened", "asks": None, "hit": None})
