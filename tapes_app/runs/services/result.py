"""What a run records at its end: in its job how it ended and whom it waits for, and its answer."""

from collections.abc import Sequence

from tapes_app.engine.environment.actions import ExternalInputNeeded
from tapes_app.engine.environment.events import LoopFinished
from tapes_app.engine.errors import CallRefusedError, StudioError
from tapes_app.jobs.domain.run_result import (
    Asks,
    CodeLine,
    CutAction,
    HitBreakpoint,
    RefusedCall,
    RunResult,
)
from tapes_app.jobs.services.context import JobContext
from tapes_app.jobs.services.registry import Outcome
from tapes_app.jobs.store.job import Job
from tapes_app.tapes.store.outcomes import note_answer


def describe_asked(finished: LoopFinished) -> Asks | None:
    """Return what a run waits for, with what its environment reports about it."""
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
    """Return a sentence about interrupted actions; empty if there are none."""
    if not actions:
        return ""
    names = ", ".join(dict.fromkeys(repr(action.tool) for action in actions))
    left = ", ".join(dict.fromkeys(repr(one.tool) for one in actions if one.is_left_behind))
    sentence = f"Interrupted before its result arrived: {names}; resuming runs it again."
    if left:
        sentence += f" {left} could not be stopped and may still be running."
    return sentence


def list_code_lines(error: StudioError) -> tuple[CodeLine, ...]:
    """Return the last lines of the agent's own code that ran before it failed."""
    return tuple(CodeLine.model_validate(frame) for frame in error.details.get("frames", ()))


def unopened_result(job: Job) -> RunResult:
    """Return the result of a run that cannot start; results of earlier attempts are kept."""
    before = job.run or RunResult()
    return before.model_copy(update={"status": "unopened", "asks": None, "hit": None})


async def note_answer_of_run(context: JobContext, outcome: Outcome) -> None:
    """Store the answer of a run that ended or whose turn has finished.

    A run that failed, was stopped, needs approval or ran out of budget has not answered yet.
    """
    tape_id = context.job.tape_id
    is_cut_off = (outcome.result or {}).get("status") == "budget"
    has_answered = outcome.accepts_messages or (outcome.state == "succeeded" and not is_cut_off)
    if tape_id is not None and has_answered:
        await context.commit(lambda: note_answer(tape_id, context.job.project_id))


def describe_refused(finished: LoopFinished | None) -> RefusedCall | None:
    """Return the call that did not fit the budget, if the run stopped before one."""
    refusal = finished.refusal if finished is not None else None
    if not isinstance(refusal, CallRefusedError):
        return None
    return RefusedCall.model_validate(refusal.details)
