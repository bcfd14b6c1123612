"""Who works on a job: claiming in groups with limits, keeping by a lease, leaving, reclaiming.

A claim increments the row's `attempt`. Everything that a worker writes afterwards is checked
against it, so a worker that was thought dead and wakes up again writes nothing (`jobs.events`).
"""

import json
from collections import Counter
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Count, Q
from django.utils import timezone

from tapes_app.jobs.domain.control import JobControl
from tapes_app.jobs.domain.protocol import (
    FINAL_STATES,
    LONGEST_STREAMED_RESULT,
    Event,
    JobState,
    JobStateChanged,
)
from tapes_app.jobs.store.draining import is_drained
from tapes_app.jobs.store.granting import settle_pause
from tapes_app.jobs.store.job import Job
from tapes_app.jobs.store.log import made_progress
from tapes_app.jobs.store.nudge import nudge_after_commit
from tapes_app.jobs.store.rows import end_row, locked_rows, log_state
from tapes_app.jobs.store.wake import notify
from tapes_app.models import JobRecord

State = JobRecord.State

DEFAULT_LEASE_SECONDS = 15.0
_ORDER = ("priority", "created_at")
MAX_LOSSES = 5
"""How many workers a job may take down with it before it is given up."""

_KEY_BITS = 63
"""Bits of the signed number that identifies an advisory lock in PostgreSQL."""


class RequestedControl(NamedTuple):
    """What people request of a running job."""

    cancelled_by: str
    """Empty when nobody wants it cancelled."""

    control: JobControl


def claim_jobs(queue: str, *, limit: int, worker: str) -> list[Job]:
    """Claim up to `limit` queued jobs; each goes to exactly one worker.

    Jobs that a person started by hand come first, then those made in bulk, each oldest first. A
    group with a limit never has more running jobs than that. A drained worker gets none.
    """
    if is_drained(worker):
        return []
    waiting = JobRecord.objects.filter(queue=queue, state=State.QUEUED).order_by(*_ORDER)
    free = waiting.exclude(group__in=_find_full_groups())
    ids = list(free.values_list("id", flat=True)[:limit])
    if not ids:
        return []
    with transaction.atomic():
        rows = list(
            JobRecord.objects.select_for_update(skip_locked=True, of=("self",))
            .filter(id__in=ids, state=State.QUEUED)
            .order_by(*_ORDER)
        )
        rows = _keep_within_limits(rows)
        for record in rows:
            record.attempt += 1
            record.worker = worker
            record.lease_expires_at = lease_end()
            record.started_at = record.started_at or timezone.now()
            log_state(record, State.RUNNING)
            record.save()
        transaction.on_commit(lambda: notify("events"))
    return [Job.of(record) for record in rows]


def _find_full_groups() -> list[UUID]:
    """Return the groups that are at their limit of running jobs."""
    counts = (
        JobRecord.objects.filter(state=JobRecord.State.RUNNING, group__isnull=False)
        .values_list("group", "group_limit")
        .annotate(count=Count("id"))
        .order_by()
    )
    return [group for group, limit, count in counts if group and count >= (limit or 0)]


def _keep_within_limits(rows: Sequence[JobRecord]) -> list[JobRecord]:
    """Return the queued jobs that may start now; call this in the transaction that starts them."""
    groups = {row.group for row in rows if row.group is not None}
    at_work = _count_running(groups)
    kept: list[JobRecord] = []
    for row in rows:
        if row.group is not None:
            if at_work[row.group] >= (row.group_limit or 0):
                continue
            at_work[row.group] += 1
        kept.append(row)
    return kept


def _count_running(groups: Collection[UUID]) -> Counter[UUID]:
    """Count the running jobs of some groups; no others can start until the transaction ends."""
    if not groups:
        return Counter()
    if connection.vendor == "postgresql":  # SQLite lets one transaction write at a time anyway
        with connection.cursor() as cursor:
            for group in sorted(groups):
                cursor.execute("SELECT pg_advisory_xact_lock(%s)", [group.int % (1 << _KEY_BITS)])
    running = JobRecord.objects.filter(state=JobRecord.State.RUNNING, group__in=groups)
    return Counter(group for group in running.values_list("group", flat=True) if group)


def renew_leases(held: Sequence[tuple[UUID, int]]) -> set[tuple[UUID, int]]:
    """Extend the leases of jobs held as (id, attempt); return those that are no longer held."""
    if not held:
        return set()
    still = Q()
    for job_id, attempt in held:
        still |= Q(id=job_id, attempt=attempt)
    mine = JobRecord.objects.filter(still, state=State.RUNNING)
    if mine.update(lease_expires_at=lease_end()) == len(held):
        return set()
    return set(held) - set(mine.values_list("id", "attempt"))


def read_requested_control(job_ids: Collection[UUID]) -> dict[UUID, RequestedControl]:
    """Return people's requests to these running jobs."""
    rows = JobRecord.objects.filter(id__in=job_ids).values_list(
        "id", "is_cancel_requested", "cancelled_by", "control"
    )
    return {
        job_id: RequestedControl(
            (person or "somebody") if is_flagged else "", JobControl.model_validate(control)
        )
        for job_id, is_flagged, person, control in rows
    }


def end_claim(
    job_id: UUID,
    state: JobState,
    *,
    message: str = "",
    error_code: str = "",
    result: dict[str, Any] | None = None,
    accepts_messages: bool = False,
) -> list[Event]:
    """Set the state in which a worker leaves its job; the writer has locked and checked the row.

    With `accepts_messages`, a waiting job is queued instead if a message arrived just before. A job
    that succeeded says which message came too late: only the row has those of the last moment.
    Returns the events that belong in the log at this point; the state comes last, because nothing
    comes after a final one.
    """
    granted = settle_pause(job_id, is_paused=state == "paused")
    if accepts_messages and granted.control.messages:
        state, message = "queued", ""
    if state == "succeeded":
        message = " ".join(filter(None, (message, granted.control.describe_unread())))
    values: dict[str, Any] = {
        "state": state,
        "message": message,
        "error_code": error_code,
        "lease_expires_at": None,
        "worker": "",
    }
    if result is not None:
        values["result"] = result
    if state in FINAL_STATES:
        values["finished_at"] = timezone.now()
    if state in {"waiting", "paused"}:
        values["lost_count"] = 0
    if state == "queued":
        values["nudged_at"] = None  # the next sweep nudges
    JobRecord.objects.filter(id=job_id).update(**values, updated_at=timezone.now())
    cancelled_by = ""
    if state == "cancelled":
        cancelled_by = JobRecord.objects.values_list("cancelled_by", flat=True).get(id=job_id)
    is_short = len(json.dumps(result, default=str)) <= LONGEST_STREAMED_RESULT
    changed = JobStateChanged(
        state=state,
        message=message,
        error_code=error_code,
        cancelled_by=cancelled_by,
        result=result if is_short else None,
    )
    return [*granted.events, changed]


def requeue_lost_jobs() -> list[Job]:
    """Requeue jobs whose worker let the lease run out; give up those that lose too many workers.

    A row that a worker which was stopped still locks is left for a later sweep, so that it holds up
    no other job.
    """
    lost = JobRecord.objects.filter(state=State.RUNNING, lease_expires_at__lt=timezone.now())
    taken: list[Job] = []
    for job_id in list(lost.values_list("id", flat=True)[:500]):
        with transaction.atomic():
            record = locked_rows(skip_locked=True).filter(id=job_id).first()
            if record is None or not _is_lost(record):
                continue
            # A job that has made progress is past whatever took down its workers before.
            record.lost_count = 1 + (0 if made_progress(record) else record.lost_count)
            record.lease_expires_at = None
            if record.is_cancel_requested:
                end_row(record, State.CANCELLED, f"Cancelled by {record.cancelled_by}.")
            elif record.lost_count >= MAX_LOSSES:
                _give_up(record)
            else:
                record.nudged_at = timezone.now()
                log_state(record, State.QUEUED, "Its worker was lost; another one is taking over.")
                nudge_after_commit(record.queue, record.id)
            record.save()
            transaction.on_commit(lambda: notify("events"))
        taken.append(Job.of(record))
    return taken


def lease_seconds() -> float:
    return float(getattr(settings, "STUDIO_LEASE_SECONDS", DEFAULT_LEASE_SECONDS))


def lease_end() -> datetime:
    return timezone.now() + timedelta(seconds=lease_seconds())


def _is_lost(record: JobRecord) -> bool:
    lease = record.lease_expires_at
    return record.state == State.RUNNING and lease is not None and lease < timezone.now()


def _give_up(record: JobRecord) -> None:
    record.error_code = "worker_lost"
    end_row(
        record,
        State.FAILED,
        f"Its worker was lost {record.lost_count} times; check the worker's log, then queue it "
        "again.",
    )
