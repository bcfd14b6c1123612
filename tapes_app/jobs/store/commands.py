"""People's commands: cancel, queue again, pause, continue, send a message, answer.

Each locks the job's row, so a command and a worker's own writes never overtake one another.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction

from tapes_app.engine.errors import ConflictError
from tapes_app.jobs.domain.control import (
    MAX_MESSAGES,
    MOST_WAITING_MEDIA,
    Breakpoint,
    JobControl,
    SteerMessage,
)
from tapes_app.jobs.domain.protocol import FINAL_STATES, Event, JobControlChanged
from tapes_app.jobs.store.job import Job
from tapes_app.jobs.store.log import append_events
from tapes_app.jobs.store.rows import (
    State,
    cancel_row,
    find_row,
    locked_rows,
    queue_again,
    row_values,
)
from tapes_app.jobs.store.wake import notify
from tapes_app.models import JobRecord


class Reply(NamedTuple):
    """The effects of an answer."""

    events: Iterable[Event] = ()
    """They report what was stored."""

    approval: str = ""
    """The action that a person approved for one time; empty for other answers."""

    request: dict[str, Any] | None = None
    """What the job has to do from here on; `None`: the same as before."""


Answer = Callable[[Job], Reply]
"""Stores the answer to a waiting job."""


def request_cancel(project_id: UUID, job_id: UUID, *, person: str) -> Job:
    """End a job that nobody works on; otherwise ask its worker to stop.

    Raises:
        ConflictError: the job has finished.
    """
    with _changing(project_id, job_id) as record:
        _refuse_finished(record, "there is nothing to cancel")
        cancel_row(record, person)
    return Job.of(record)


def requeue_job(project_id: UUID, job_id: UUID) -> Job:
    """Queue a failed, cancelled, waiting or paused job again; it continues from where it was.

    Raises:
        ConflictError: it is queued, running, or has succeeded.
    """
    with _changing(project_id, job_id) as record:
        if record.state not in {State.FAILED, State.CANCELLED, State.WAITING, State.PAUSED}:
            raise ConflictError(
                f"Job {str(job_id)!r} is {record.state}; only a failed, cancelled, waiting or "
                "paused job can be queued again.",
                **row_values(record),
            )
        queue_again(record)
    return Job.of(record)


def change_request(
    project_id: UUID, job_id: UUID, change: Callable[[Mapping[str, Any]], dict[str, Any]]
) -> Job:
    """Replace a job's request; a finished job continues with it.

    For kinds of jobs that read their request again while they work. If `change` raises, everything
    stays as it was.
    """
    with _changing(project_id, job_id) as record:
        record.request = change(record.request)
        if record.state in FINAL_STATES:
            queue_again(record)
    return Job.of(record)


def request_pause(project_id: UUID, job_id: UUID, *, person: str) -> Job:
    """Ask a job to pause at its next safe point.

    Raises:
        ConflictError: it has finished, or is waiting for a person anyway.
    """
    with _changing(project_id, job_id) as record:
        _refuse_finished(record, "there is nothing to pause")
        if record.state == State.WAITING:
            raise ConflictError("This run is waiting for an answer and does nothing until then.")
        if record.state != State.PAUSED:
            _set_control(record, pause_asked_by=person)
    return Job.of(record)


def continue_job(project_id: UUID, job_id: UUID, *, is_stepping: bool) -> Job:
    """Let a paused job continue, to the end or for one step; cancel a pending pause.

    Raises:
        ConflictError: it has finished or waits for a person.
    """
    with _changing(project_id, job_id) as record:
        if record.state not in {State.PAUSED, State.QUEUED, State.RUNNING}:
            raise ConflictError(
                f"What is {record.state} cannot be continued; only a paused one can.",
                **row_values(record),
            )
        _set_control(record, pause_asked_by="", is_stepping=is_stepping)
        if record.state == State.PAUSED:
            queue_again(record)
    return Job.of(record)


def set_breakpoints(project_id: UUID, job_id: UUID, breakpoints: Iterable[Breakpoint]) -> Job:
    """Replace the breakpoints of a job.

    Raises:
        ConflictError: it has finished.
    """
    with _changing(project_id, job_id) as record:
        _refuse_finished(record, "breakpoints have no effect on it")
        _set_control(record, breakpoints=tuple(breakpoints))
    return Job.of(record)


def add_message(project_id: UUID, job_id: UUID, message: SteerMessage) -> Job:
    """Store a message for the next turn of a job.

    Raises:
        ConflictError: it has finished, or too many messages or attachments are waiting already.
    """
    with _changing(project_id, job_id) as record:
        _refuse_finished(record, "the agent cannot receive messages; resume the tape to continue")
        waiting = _control_of(record).messages
        if len(waiting) >= MAX_MESSAGES:
            raise ConflictError(
                f"{MAX_MESSAGES} messages are already waiting; wait until the agent reads them."
            )
        if message.attachments and _media_size((*waiting, message)) > MOST_WAITING_MEDIA:
            raise ConflictError(
                "The messages that are waiting have large attachments already; wait until the "
                "agent reads them."
            )
        _set_control(record, messages=(*waiting, message))
    return Job.of(record)


def _media_size(messages: Iterable[SteerMessage]) -> int:
    return sum(len(json.dumps(message.attachments)) for message in messages)


def withdraw_message(project_id: UUID, job_id: UUID, message_id: str) -> Job:
    """Remove a message that the agent has not read yet; this also works for a finished job.

    Raises:
        ConflictError: it was already read, or may be being read right now.
    """
    with _changing(project_id, job_id) as record:
        if record.state == State.RUNNING:
            raise ConflictError(
                "The agent may be reading this message right now; pause the run first."
            )
        waiting = _control_of(record).messages
        left = tuple(message for message in waiting if message.id != message_id)
        if left == waiting:
            raise ConflictError("This message is no longer waiting.", message_id=message_id)
        _set_control(record, messages=left)
    return Job.of(record)


def answer_job(project_id: UUID, tape_id: UUID, *, write: Answer) -> Job:
    """Queue the job that waits on a tape, after `write` has stored the answer.

    `write` runs in the same transaction; if it raises, everything stays as it was.

    Raises:
        ConflictError: no job of this tape is waiting.
    """
    with transaction.atomic():
        waiting = locked_rows().filter(project_id=project_id, tape_id=tape_id, state=State.WAITING)
        record = waiting.order_by("-created_at", "-id").first()
        if record is None:
            raise ConflictError(
                "No run of this tape is waiting for an answer.", tape_id=str(tape_id)
            )
        with _logging_control(record):
            reply = write(Job.of(record))
            if reply.approval:
                approvals = (*_control_of(record).approvals, reply.approval)
                _set_control(record, approvals=approvals)
            if reply.request is not None:
                record.request = reply.request
            queue_again(record, reply.events)
    return Job.of(record)


@contextmanager
def _changing(project_id: UUID, job_id: UUID) -> Iterator[JobRecord]:
    """Lock a job's row, store what was changed in it and hint its worker."""
    with transaction.atomic():
        record = find_row(locked_rows().filter(project_id=project_id), job_id)
        with _logging_control(record):
            yield record
        transaction.on_commit(lambda: notify("jobs"))


@contextmanager
def _logging_control(record: JobRecord) -> Iterator[None]:
    """Store a locked row, with an event for watchers if the requests to it have changed."""
    before = _describe(record)
    yield
    after = _describe(record)
    if after != before and record.state not in FINAL_STATES:  # a final state is the last event
        append_events(record, [after])
    record.save()
    transaction.on_commit(lambda: notify("events"))


def _describe(record: JobRecord) -> JobControlChanged:
    return JobControlChanged.of(
        _control_of(record),
        is_cancel_requested=record.is_cancel_requested,
        cancelled_by=record.cancelled_by,
    )


def _control_of(record: JobRecord) -> JobControl:
    return JobControl.model_validate(record.control)


def _set_control(record: JobRecord, **changes: object) -> None:
    control = _control_of(record).model_copy(update=changes)
    record.control = control.model_dump(mode="json", exclude_defaults=True)


def _refuse_finished(record: JobRecord, so: str) -> None:
    if record.state in FINAL_STATES:
        raise ConflictError(
            f"Job {str(record.id)!r} is {record.state} already; {so}.", **row_values(record)
        )
