"""Many similar jobs, made, stopped or paused together."""

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

from django.db import transaction
from django.utils import timezone

from tapes_app.engine.errors import ConflictError
from tapes_app.jobs.domain.protocol import FINAL_STATES, JobStateChanged, encode_event
from tapes_app.jobs.store.commands import continue_job, request_cancel, request_pause
from tapes_app.jobs.store.log import NewEvent, insert_events
from tapes_app.jobs.store.nudge import nudge_after_commit
from tapes_app.jobs.store.rows import State, cancel_row, locked_rows, log_state
from tapes_app.jobs.store.wake import notify
from tapes_app.models import JobRecord

MAX_NUDGES = 8
"""One would do for a single worker; a few more wake other idle workers."""


@dataclass(frozen=True, slots=True)
class NewJob:
    request: dict[str, Any]
    title: str
    tape_id: UUID | None = None


def create_jobs(
    project_id: UUID,
    kind: str,
    wanted: Sequence[NewJob],
    *,
    owner_id: int | None = None,
    queue: str = "agents",
    group: UUID | None = None,
    group_limit: int | None = None,
) -> list[UUID]:
    """Queue jobs with as many queries as a single one needs; return their ids in order.

    Runs that people start by hand go before them. A group never runs more jobs than its limit at
    the same time, whoever made its jobs.
    """
    queued = JobRecord.State.QUEUED
    rows = [
        JobRecord(
            id=uuid4(),
            project_id=project_id,
            owner_id=owner_id,
            kind=kind,
            queue=queue,
            state=queued,
            priority=JobRecord.Priority.BULK,
            title=job.title[:300],
            request=job.request,
            tape_id=job.tape_id,
            group=group if group_limit is not None else None,
            group_limit=group_limit,
            last_seq=1,
            nudged_at=timezone.now(),
        )
        for job in wanted
    ]
    event = encode_event(JobStateChanged(state="queued"))
    with transaction.atomic():
        JobRecord.objects.bulk_create(rows)
        insert_events([NewEvent(row.id, 1, 0, event) for row in rows])
        for row in rows[:MAX_NUDGES]:
            nudge_after_commit(queue, row.id)
    return [row.id for row in rows]


def cancel_jobs(project_id: UUID, job_ids: Collection[UUID], *, person: str) -> int:
    """Ask all active jobs among them to stop; return how many there are.

    Each is done in a separate transaction, so that no two rows are locked at the same time.
    """
    unfinished = JobRecord.objects.filter(id__in=job_ids, project_id=project_id)
    count = 0
    for job_id in unfinished.exclude(state__in=FINAL_STATES).values_list("id", flat=True):
        try:
            request_cancel(project_id, job_id, person=person)
        except ConflictError:  # it has just ended by itself
            continue
        count += 1
    return count


def cancel_queued_jobs(project_id: UUID, job_ids: Collection[UUID], *, person: str) -> None:
    """End those of the jobs that wait in a queue; one that a worker has just claimed goes on.

    Each is done in a separate transaction, so that no two rows are locked at the same time.
    """
    queued = JobRecord.objects.filter(id__in=job_ids, project_id=project_id, state=State.QUEUED)
    for job_id in list(queued.values_list("id", flat=True)):
        with transaction.atomic():
            row = locked_rows(skip_locked=True).filter(id=job_id, state=State.QUEUED).first()
            if row is None:
                continue
            cancel_row(row, person)
            row.save()
            transaction.on_commit(lambda: notify("events"))


def pause_jobs(project_id: UUID, job_ids: Collection[UUID], *, person: str) -> None:
    """Pause the jobs that wait in a queue; ask the running ones to pause at a safe point.

    A job that a worker claims at this moment may be missed; call it again until none is running.
    """
    wanted = JobRecord.objects.filter(id__in=job_ids, project_id=project_id)
    with transaction.atomic():
        # It does not wait for locked rows, so that nobody can wait for these in turn.
        locked = wanted.select_for_update(skip_locked=True, of=("self",))
        rows = list(locked.filter(state=State.QUEUED))
        for row in rows:
            log_state(row, State.PAUSED, f"Paused by {person}.")
        JobRecord.objects.bulk_update(rows, ["state", "message", "last_seq"], batch_size=500)
        transaction.on_commit(lambda: notify("events"))
    for job_id in wanted.filter(state=State.RUNNING).values_list("id", flat=True):
        with suppress(ConflictError):  # it has just ended, or waits for somebody
            request_pause(project_id, job_id, person=person)


def continue_jobs(project_id: UUID, job_ids: Collection[UUID]) -> None:
    """Let the jobs that are paused, or asked to pause, continue to their end."""
    wanted = JobRecord.objects.filter(id__in=job_ids, project_id=project_id)
    stopping = wanted.filter(state__in=(State.PAUSED, State.RUNNING))
    for job_id in list(stopping.values_list("id", flat=True)):
        with suppress(ConflictError):  # it has just ended, or waits for somebody
            continue_job(project_id, job_id, is_stepping=False)
