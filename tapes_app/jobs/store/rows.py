"""The row of a job: found, locked, and given a new state together with its event."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from tapes_app.jobs.domain.protocol import Event, JobStateChanged, parse_state
from tapes_app.jobs.store.log import append_events
from tapes_app.jobs.store.nudge import nudge_after_commit
from tapes_app.jobs.store.started_jobs import end_started_after_commit
from tapes_app.jobs.store.wake import notify
from tapes_app.models import JobRecord
from tapes_app.projects.store.records import get_record

State = JobRecord.State


def locked_rows(*, skip_locked: bool = False) -> QuerySet[JobRecord]:
    return JobRecord.objects.select_for_update(of=("self",), skip_locked=skip_locked)


def find_row(rows: QuerySet[JobRecord], job_id: UUID) -> JobRecord:
    """Return one of these rows.

    Raises:
        NotFoundError: it is not among them.
    """
    return get_record(rows, f"There is no job {str(job_id)!r} here.", job=job_id)


def log_state(
    record: JobRecord, state: JobRecord.State, message: str = "", before: Iterable[Event] = ()
) -> None:
    """Give a locked row its new state and write that to its log; the caller saves the row."""
    record.state = state
    record.message = message
    changed = JobStateChanged(
        state=parse_state(state),
        message=message,
        error_code=record.error_code,
        cancelled_by=record.cancelled_by,
    )
    append_events(record, [*before, changed])


def end_row(record: JobRecord, state: JobRecord.State, message: str) -> None:
    """End a locked job that nobody works on; the caller saves the row."""
    record.finished_at = timezone.now()
    record.lease_expires_at = None
    record.worker = ""
    log_state(record, state, message)
    end_started_after_commit(record)


def cancel_row(record: JobRecord, person: str) -> None:
    """End a locked job that nobody works on, or ask its worker to stop; the caller saves the row.

    Whoever cancelled it first is remembered.
    """
    record.cancelled_by = record.cancelled_by or person
    record.is_cancel_requested = True
    if record.state != State.RUNNING:
        end_row(record, State.CANCELLED, f"Cancelled by {record.cancelled_by}.")


def queue_again(record: JobRecord, events: Iterable[Event] = ()) -> None:
    """Queue a locked job again, with `events` in its log before the new state."""
    record.is_cancel_requested = False
    record.cancelled_by = ""
    record.error_code = ""
    record.finished_at = None
    record.lost_count = 0
    record.nudged_at = timezone.now()
    record.lease_expires_at = None
    log_state(record, State.QUEUED, before=events)
    record.save()
    nudge_after_commit(record.queue, record.id)
    transaction.on_commit(lambda: notify("events"))


def row_values(record: JobRecord) -> dict[str, Any]:
    """Return what identifies a row in an error."""
    return {"job": str(record.id), "state": record.state}
