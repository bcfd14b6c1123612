"""`/jobs`: long work, its state, cancelling and starting again."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from ninja import Query

from tapes_app.api.people import PersonRequest, found, make_router
from tapes_app.api.schemas import (
    BreakpointsIn,
    ContinueIn,
    JobOut,
    JobPageOut,
    JobState,
    ReplyIn,
    SteerIn,
)
from tapes_app.services import job_control, replies

MAX_PAGE = 500

router = make_router("jobs")


@router.get("", response=found(JobPageOut))
def list_jobs(
    request: PersonRequest,
    state: JobState | None = None,
    active: bool | None = None,
    tape: UUID | None = None,
    after: Annotated[str, Query(max_length=300)] = "",
    limit: Annotated[int, Query(ge=1, le=MAX_PAGE)] = 50,
) -> Any:
    """List jobs, newest first; `active` = not over yet."""
    wanted = job_control.JobFilter(state=state, is_active=active, tape_id=tape)
    return job_control.list_jobs(request.auth, wanted, after=after, limit=limit)


@router.get("/{job_id}", response=found(JobOut))
def show_job(request: PersonRequest, job_id: UUID) -> Any:
    return job_control.load_job(request.auth, job_id)


@router.post("/{job_id}/cancel", response=found(JobOut))
def cancel_job(request: PersonRequest, job_id: UUID) -> Any:
    """Ask the job to stop; what it has done stays."""
    return job_control.cancel_job(request.auth, job_id)


@router.post("/{job_id}/requeue", response=found(JobOut))
def requeue_job(request: PersonRequest, job_id: UUID) -> Any:
    """Let a job that is over begin again where it stopped."""
    return job_control.requeue_job(request.auth, job_id)


@router.post("/{job_id}/reply", response=found(JobOut))
def reply_to_job(request: PersonRequest, job_id: UUID, body: ReplyIn) -> Any:
    """Answer what this run waits for: with a text, with data, or by allowing an action."""
    return replies.reply_to_job(request.auth, job_id, body.to_answer())


@router.post("/{job_id}/pause", response=found(JobOut))
def pause_run(request: PersonRequest, job_id: UUID) -> Any:
    """Ask a run to pause at its next safe point: between node runs and before actions."""
    return job_control.pause_run(request.auth, job_id)


@router.post("/{job_id}/continue", response=found(JobOut))
def continue_run(request: PersonRequest, job_id: UUID, body: ContinueIn) -> Any:
    """Let a paused run go on; take back a pause that was not made yet."""
    return job_control.continue_run(request.auth, job_id, body.mode)


@router.post("/{job_id}/steer", response=found(JobOut))
def steer_run(request: PersonRequest, job_id: UUID, body: SteerIn) -> Any:
    """Say something to the agent: at its next turn, or at once when it waits for that."""
    return job_control.steer_run(request.auth, job_id, body.text)


@router.delete("/{job_id}/messages/{message_id}", response=found(JobOut))
def take_message_back(request: PersonRequest, job_id: UUID, message_id: str) -> Any:
    """Remove what was said to a run and not heard, also when the run is over."""
    return job_control.take_message_back(request.auth, job_id, message_id)


@router.put("/{job_id}/breakpoints", response=found(JobOut))
def set_breakpoints(request: PersonRequest, job_id: UUID, body: BreakpointsIn) -> Any:
    """Replace the breakpoints of a run."""
    return job_control.set_breakpoints(request.auth, job_id, body.breakpoints)
