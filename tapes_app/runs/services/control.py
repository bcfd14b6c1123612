"""Jobs as a person controls them: listed, cancelled, requeued, steered while they run."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal, get_args
from uuid import UUID

from tapes_app.engine.errors import ConflictError
from tapes_app.engine.frozen_model import new_id
from tapes_app.engine.tape.media import check_attachments
from tapes_app.jobs.domain.control import Breakpoint, SteerMessage
from tapes_app.jobs.domain.protocol import FINAL_STATES, JobState
from tapes_app.jobs.domain.run_result import RUN_KIND
from tapes_app.jobs.services.listeners import ShownJob, show_jobs
from tapes_app.jobs.store import commands
from tapes_app.jobs.store import job as jobs
from tapes_app.jobs.store.folding import load_groups
from tapes_app.jobs.store.job import Job
from tapes_app.projects.domain.rows import Page
from tapes_app.projects.services.people import Person
from tapes_app.runs.domain.request import check_breakpoints
from tapes_app.runs.services.replies import GivenAnswer, reply_to_job


def list_jobs(
    person: Person,
    *,
    state: JobState | None,
    is_active: bool | None,
    tape_id: UUID | None,
    is_folded: bool,
    after: str,
    limit: int,
) -> Page[ShownJob]:
    """Return jobs, newest first; `None` does not filter. `is_folded`: see `folding.fold`.

    Raises:
        InvalidInputError: `after` is not a cursor of a list.
    """
    every: frozenset[JobState] = frozenset(get_args(JobState))
    states = every
    if is_active is not None:
        states = every - FINAL_STATES if is_active else FINAL_STATES
    if state is not None:
        states &= {state}
    page = jobs.list_job_page(
        person.project_id,
        states=states if states != every else None,
        tape_id=tape_id,
        is_folded=is_folded,
        after=after,
        limit=limit,
    )
    groups = load_groups([job.id for job in page.items]) if is_folded else {}
    light = [replace(job, control=job.control.without_media()) for job in page.items]
    return Page(tuple(show_jobs(light, groups)), page.next)


def pause_run(person: Person, job_id: UUID) -> Job:
    """Ask a run to pause at its next safe point.

    Raises:
        ConflictError: the run has finished, or already waits for a person.
    """
    _load_run(person, job_id)
    return commands.request_pause(person.project_id, job_id, person=person.name)


def continue_run(person: Person, job_id: UUID, mode: Literal["run", "step"]) -> Job:
    """Continue a paused run, to its end or for one step.

    Raises:
        ConflictError: the run has finished or waits for a person.
    """
    _load_run(person, job_id)
    return commands.continue_job(person.project_id, job_id, is_stepping=mode == "step")


def set_breakpoints(person: Person, job_id: UUID, breakpoints: tuple[Breakpoint, ...]) -> Job:
    """Replace the breakpoints of a run.

    Raises:
        ConditionError: a condition cannot be parsed.
        ConflictError: the run has finished.
    """
    _load_run(person, job_id)
    check_breakpoints(breakpoints)
    return commands.set_breakpoints(person.project_id, job_id, breakpoints)


def steer_run(person: Person, job_id: UUID, text: str, attachments: Sequence[Any] = ()) -> Job:
    """Send a message to the agent, for its next turn, or immediately if it waits for one.

    Raises:
        ConflictError: the run has finished, or too many messages wait already.
        MediaError: an attachment is not an image or recording, or is too large.
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


def withdraw_message(person: Person, job_id: UUID, message_id: str) -> Job:
    """Remove a message that the agent has not read yet, even if the run has finished.

    Raises:
        ConflictError: the agent has read it, or may be reading it.
    """
    _load_run(person, job_id)
    return commands.withdraw_message(person.project_id, job_id, message_id)


def _load_run(person: Person, job_id: UUID) -> Job:
    job = jobs.load_job(person.project_id, job_id)
    if job.kind != RUN_KIND:
        raise ConflictError(f"This job is not a run but {job.kind!r}, so it cannot be steered.")
    return job
