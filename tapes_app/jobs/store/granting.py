"""Grants requests: a worker removes from a job's control what it delivers.

Called in the writer's transactions, which have locked the row and checked whose job it is.
"""

from typing import Any, NamedTuple
from uuid import UUID

from django.utils import timezone

from tapes_app.jobs.domain.control import JobControl
from tapes_app.jobs.domain.protocol import Event, JobControlChanged
from tapes_app.models import JobRecord


class Granted(NamedTuple):
    """People's remaining requests to a job, and the events that report what was granted."""

    control: JobControl
    events: tuple[Event, ...] = ()


def take_message(job_id: UUID, message_id: str) -> Granted:
    """Remove a message as its step is stored."""
    control = _read(job_id)
    left = tuple(message for message in control.messages if message.id != message_id)
    return _grant(job_id, control, messages=left)


def take_approval(job_id: UUID, key: str, *, checkpoint: Any) -> Granted | None:
    """Use up a person's approval of an action; `None` if there was none."""
    control = _read(job_id)
    if key not in control.approvals:
        return None
    store_checkpoint(job_id, checkpoint)
    left = tuple(approval for approval in control.approvals if approval != key)
    return _grant(job_id, control, approvals=left)


def settle_pause(job_id: UUID, *, is_paused: bool) -> Granted:
    """Clear the request to pause as a job comes to rest; a pause also ends single-stepping."""
    control = _read(job_id)
    is_stepping = control.is_stepping and not is_paused
    return _grant(job_id, control, pause_asked_by="", is_stepping=is_stepping)


def store_checkpoint(job_id: UUID, value: Any) -> None:
    """Store the point from which the next attempt may continue."""
    JobRecord.objects.filter(id=job_id).update(checkpoint=value)


def store_progress(job_id: UUID, done: int, total: int | None, message: str) -> None:
    """Store how far a job is, as counts and in words."""
    JobRecord.objects.filter(id=job_id).update(
        progress_done=done, progress_total=total, message=message, updated_at=timezone.now()
    )


def _read(job_id: UUID) -> JobControl:
    rows = JobRecord.objects.filter(id=job_id).values_list("control", flat=True)
    return JobControl.model_validate(rows.get())


def _grant(job_id: UUID, control: JobControl, **changes: object) -> Granted:
    """Store the remaining requests."""
    left = control.model_copy(update=changes)
    if left == control:
        return Granted(control)
    row = JobRecord.objects.filter(id=job_id)
    row.update(control=left.model_dump(mode="json", exclude_defaults=True))
    is_cancel_requested, cancelled_by = row.values_list("is_cancel_requested", "cancelled_by").get()
    event = JobControlChanged.of(
        left, is_cancel_requested=is_cancel_requested, cancelled_by=cancelled_by
    )
    return Granted(left, (event,))
