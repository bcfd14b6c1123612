"""`/jobs`: long work: its state, cancelling it and requeueing it."""

from typing import Annotated
from uuid import UUID

from ninja import Query

from tapes_app.jobs.api.schemas import BreakpointsIn, ContinueIn, JobOut, JobPageOut, SteerIn
from tapes_app.jobs.domain.protocol import JobState
from tapes_app.jobs.services import listeners
from tapes_app.jobs.services.listeners import ShownJob
from tapes_app.jobs.store import commands, job
from tapes_app.jobs.store.job import MAX_PAGE
from tapes_app.projects.api.people import PersonRequest, make_router
from tapes_app.projects.domain.rows import Page
from tapes_app.runs.api.schemas import ReplyIn
from tapes_app.runs.services import control as job_control
from tapes_app.runs.services import replies

router = make_router("jobs")


@router.get("", response=JobPageOut)
def list_jobs(
    request: PersonRequest,
    state: JobState | None = None,
    active: bool | None = None,
    tape: UUID | None = None,
    folded: bool | None = None,
    after: Annotated[str, Query(max_length=300)] = "",
    limit: Annotated[int, Query(ge=1, le=MAX_PAGE)] = 50,
) -> Page[ShownJob]:
    """List jobs, newest first; `active` means not finished yet.

    `folded`: of runs that were made together, only one that stands for all.
    """
    return job_control.list_jobs(
        request.auth,
        state=state,
        is_active=active,
        tape_id=tape,
        is_folded=bool(folded),
        after=after,
        limit=limit,
    )


@router.get("/{job_id}", response=JobOut)
def show_job(request: PersonRequest, job_id: UUID) -> ShownJob:
    """Return a job: its state, its progress and its result."""
    return listeners.show_job(job.load_job(request.auth.project_id, job_id))


@router.post("/{job_id}/cancel", response=JobOut)
def cancel_job(request: PersonRequest, job_id: UUID) -> ShownJob:
    """Ask the job to stop; what it has done so far stays."""
    return listeners.show_job(
        commands.request_cancel(request.auth.project_id, job_id, person=request.auth.name)
    )


@router.post("/{job_id}/requeue", response=JobOut)
def requeue_job(request: PersonRequest, job_id: UUID) -> ShownJob:
    """Requeue a finished job, which resumes where it stopped."""
    return listeners.show_job(commands.requeue_job(request.auth.project_id, job_id))


@router.post("/{job_id}/reply", response=JobOut)
def reply_to_job(request: PersonRequest, job_id: UUID, body: ReplyIn) -> ShownJob:
    """Answer what this run waits for: with a text, with data, or by a yes or no to an action."""
    return listeners.show_job(replies.reply_to_job(request.auth, job_id, body.to_answer()))


@router.post("/{job_id}/pause", response=JobOut)
def pause_run(request: PersonRequest, job_id: UUID) -> ShownJob:
    """Ask a run to pause at its next safe point: between node runs and before actions."""
    return listeners.show_job(job_control.pause_run(request.auth, job_id))


@router.post("/{job_id}/continue", response=JobOut)
def continue_run(request: PersonRequest, job_id: UUID, body: ContinueIn) -> ShownJob:
    """Continue a paused run, or cancel a pause that has not taken effect yet."""
    return listeners.show_job(job_control.continue_run(request.auth, job_id, body.mode))


@router.post("/{job_id}/steer", response=JobOut)
def steer_run(request: PersonRequest, job_id: UUID, body: SteerIn) -> ShownJob:
    """Send a message to the agent, for its next turn, or immediately if it waits for one."""
    steered = job_control.steer_run(request.auth, job_id, body.text, body.attachments or ())
    return listeners.show_job(steered)


@router.delete("/{job_id}/messages/{message_id}", response=JobOut)
def withdraw_message(request: PersonRequest, job_id: UUID, message_id: str) -> ShownJob:
    """Remove a message that the agent has not read yet, even if the run has finished."""
    return listeners.show_job(job_control.withdraw_message(request.auth, job_id, message_id))


@router.put("/{job_id}/breakpoints", response=JobOut)
def set_breakpoints(request: PersonRequest, job_id: UUID, body: BreakpointsIn) -> ShownJob:
    """Replace the breakpoints of a run."""
    return listeners.show_job(job_control.set_breakpoints(request.auth, job_id, body.breakpoints))
