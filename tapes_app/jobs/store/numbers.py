"""Statistics on jobs: for the operator's desk and for monitoring."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Count, Max, Min, Q

from tapes_app.models import JobRecord

_State = JobRecord.State
_CAUSES = 20
_AT_WORK = 200


@dataclass(frozen=True, slots=True)
class QueueNumbers:
    """One queue: how much waits in it, since when, and how much is running."""

    queue: str
    queued_count: int = 0
    running_count: int = 0
    oldest_at: datetime | None = None
    """Since when the first job in the queue has been waiting."""


@dataclass(frozen=True, slots=True)
class FailureCause:
    """Jobs that failed for the same reason."""

    kind: str
    error_code: str
    count: int
    last_at: datetime
    last_job_id: UUID
    last_message: str


@dataclass(frozen=True, slots=True)
class JobAtWork:
    """A job that a worker holds."""

    id: UUID
    worker: str
    kind: str
    title: str
    started_at: datetime | None


def list_queues() -> list[QueueNumbers]:
    """Return the queues in which jobs are waiting or running."""
    unfinished = JobRecord.objects.filter(state__in=[_State.QUEUED, _State.RUNNING]).order_by()
    is_queued = Q(state=_State.QUEUED)
    rows = unfinished.values("queue").annotate(
        queued=Count("id", filter=is_queued),
        running=Count("id", filter=~is_queued),
        oldest=Min("created_at", filter=is_queued),
    )
    return [
        QueueNumbers(row["queue"], row["queued"], row["running"], row["oldest"])
        for row in rows.order_by("queue")
    ]


def count_by_state() -> list[tuple[str, str, int]]:
    """Return queue, state and number of all jobs."""
    counted = JobRecord.objects.order_by().values("queue", "state").annotate(count=Count("id"))
    return [
        (row["queue"], row["state"], row["count"]) for row in counted.order_by("queue", "state")
    ]


def list_failures(since: datetime) -> list[FailureCause]:
    """Return why jobs failed since a given time, the most frequent reason first."""
    failed = JobRecord.objects.filter(state=_State.FAILED, finished_at__gte=since).order_by()
    causes = failed.values("kind", "error_code").annotate(
        count=Count("id"), last=Max("finished_at")
    )
    return [
        _cause_of(row["kind"], row["error_code"], row["count"], row["last"])
        for row in causes.order_by("-count", "kind")[:_CAUSES]
    ]


def list_at_work(workers: Iterable[str]) -> list[JobAtWork]:
    """Return the jobs that workers hold, oldest first."""
    held = JobRecord.objects.filter(state=_State.RUNNING, worker__in=list(workers))
    names = ("id", "worker", "kind", "title", "started_at")
    return [JobAtWork(*row) for row in held.order_by("started_at").values_list(*names)[:_AT_WORK]]


def list_holders() -> set[str]:
    """Return the names of the workers that hold a job."""
    held = JobRecord.objects.filter(state=_State.RUNNING).exclude(worker="").order_by()
    return set(held.values_list("worker", flat=True).distinct())


def _cause_of(kind: str, code: str, count: int, last: datetime) -> FailureCause:
    alike = JobRecord.objects.filter(
        state=_State.FAILED, kind=kind, error_code=code, finished_at=last
    )
    job_id, message = alike.values_list("id", "message")[0]
    return FailureCause(kind, code, count, last, job_id, message)
