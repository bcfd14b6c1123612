"""Jobs as a person sees them: listed, cancelled, started again, steered while they continue."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args
from uuid import UUID

from tapes_app.engine.errors import ConflictError
from tapes_app.engine.media import check_attachments
from tapes_app.engine.steps import new_id
from tapes_app.jobs.control import Breakpoint, SteerMessage
from tapes_app.jobs.protocol import FINAL_STATES, JobState
from tapes_app.jobs.run_result import RUN_KIND
from tapes_app.jobs.store import commands
from tapes_app.jobs.store import job as jobs
from tapes_app.jobs.store.job import Job
from tapes_app.projects.rows import Page
from tapes_app.projects.services.people import Person
from tapes_app.runs.request import check_breakpoints
from tapes_app.runs.services.replies import GivenAnswer, reply_to_job

ACTIVE_STATES: frozenset[JobState] = frozenset(get_args(JobState)) - FINAL_STATES


@dataclass(frozen=True)
class JobFilter:
    """What to list; `None` leaves a question open."""

    state: JobState | None = None
    is_active: bool | None = None
    tape_id: UUID | None = None

    @property
    def states(self) -> frozenset[JobState]:
        """The states asked for; all of them when nothing narrows them."""
        states: frozenset[JobState] = frozenset(get_args(JobState))
        if self.is_active is not None:
            states &= ACTIVE_STATES if self.is_active else FINAL_STATES
        if self.state is not None:
            states &= {self.state}
        return states


def list_jobs(person: Person, wanted: JobFilter, *, after: str = "", limit: int = 50) -> Page[Job]:
    """Return jobs, newest first.

    Raises:
        InvalidInputError: `after` is not a page that a list gave.
    """
    page = jobs.list_job_page(
        person.project_id,
        states=wanted.states if len(wanted.states) < len(get_args(JobState)) else None,
        tape_id=wanted.tape_id,
        after=after,
        limit=limit,
    )
    shown = (replace(job, control=job.control.without_media()) for job in page.items)
    return Page(tuple(shown), page.next)


def pause_run(person: Person, job_id: UUID) -> Job:
    """Ask a run to pause at its next safe point.

    Raises:
        ConflictError: it has finished, or waits for a person anyway.
    """
    _load_run(person, job_id)
    return commands.request_pause(person.project_id, job_id, person=person.name)


def continue_run(person: Person, job_id: UUID, mode: Literal["run", "step"]) -> Job:
    """Let a paused run continue, to its end or for one step.

    Raises:
        ConflictError: it has finished or waits for a person.
    """
    _load_run(person, job_id)
    return commands.continue_job(person.project_id, job_id, is_stepping=mode == "step")


def set_breakpoints(person: Person, job_id: UUID, breakpoints: tuple[Breakpoint, ...]) -> Job:
    """Replace the breakpoints of a run.

    Raises:
        ConditionError: one cannot be read.
        ConflictError: the run has finished.
    """
    _load_run(person, job_id)
    check_breakpoints(breakpoints)
    return commands.set_breakpoints(person.project_id, job_id, breakpoints)


def steer_run(person: Person, job_id: UUID, text: str, attachments: Sequence[Any] = ()) -> Job:
    """Say something to the agent: at its next turn, or at once when it waits for that.

    Raises:
        ConflictError: the run has finished, or too much waits already.
        MediaError: an attachment is no image or recording, or too large.
    """
    job = _load_run(person, job_id)
    result = job.run
    asks = result.asks if result is not None else None
    if job.state == "waiting" and (asks is None or not (asks.tool or asks.data_schema)):
        return reply_to_job(person, job_id, GivenAnswer(text=text, attachments=attachments))
    message = SteerMessage(
        id=new_id(),
        text=text,
        attachments=check_attachments(attachments),
        by=person.name,
        user_id=person.user_id,
    )
    return commands.add_message(person.project_id, job_id, message)


def take_message_back(person: Person, job_id: UUID, message_id: str) -> Job:
    """Remove what was said to a run and not heard, also when the run has finished.

    Raises:
        ConflictError: the agent has heard it, or may be hearing it.
    """
    _load_run(person, job_id)
    return commands.take_message_back(person.project_id, job_id, message_id)


def _load_run(person: Person, job_id: UUID) -> Job:
    job = jobs.load_job(person.project_id, job_id)
    if job.kind != RUN_KIND:
        raise ConflictError(f"This job is not a run but {job.kind!r}, so it cannot be steered.")
    return job
