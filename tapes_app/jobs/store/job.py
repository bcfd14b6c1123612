"""A job as a value: created, loaded and listed. The row is the truth (`jobs.rows`)."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from tapes_app.jobs.domain.control import JobControl
from tapes_app.jobs.domain.protocol import FINAL_STATES, JobState
from tapes_app.jobs.domain.run_result import RunResult, read_result
from tapes_app.jobs.store.folding import fold
from tapes_app.jobs.store.nudge import nudge_after_commit
from tapes_app.jobs.store.rows import find_row, locked_rows, log_state
from tapes_app.models import JobRecord
from tapes_app.projects.domain.rows import Page
from tapes_app.projects.store.records import ids_like, list_newest

PLAYGROUND_KIND = "playground"
SHORT_LIVED_KINDS = frozenset({PLAYGROUND_KIND})
"""Jobs that are of no later interest: lists omit them, and their rows are deleted soon after."""

MAX_PAGE = 500
KEEP_SHORT_LIVED_FOR = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Job:
    """A job as it was when it was read."""

    id: UUID
    project_id: UUID
    owner_id: int | None
    kind: str
    queue: str
    state: JobState
    title: str
    request: dict[str, Any]
    control: JobControl
    tape_id: UUID | None
    batch_id: UUID | None
    attempt: int
    checkpoint: Any
    progress_done: int
    progress_total: int | None
    message: str
    error_code: str
    result: dict[str, Any] | None
    is_cancel_requested: bool
    cancelled_by: str
    last_seq: int
    pruned_seq: int
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None

    @property
    def run(self) -> RunResult | None:
        """The result of a run, typed; `None` for other kinds and before it first comes to rest."""
        return read_result(self.kind, self.result)

    @classmethod
    def of(cls, record: JobRecord) -> "Job":
        values = {name: getattr(record, name) for name in cls.__slots__ if name != "control"}
        return cls(**values, control=JobControl.model_validate(record.control))


def create_job(
    project_id: UUID,
    kind: str,
    *,
    request: dict[str, Any],
    title: str = "",
    owner_id: int | None = None,
    tape_id: UUID | None = None,
    batch_id: UUID | None = None,
    queue: str = "agents",
    control: JobControl | None = None,
    job_id: UUID | None = None,
) -> Job:
    """Queue a job; a worker is nudged when the surrounding transaction commits.

    `job_id` is a new id under which files were stored already.
    """
    with transaction.atomic():
        record = JobRecord.objects.create(
            id=job_id or uuid4(),
            project_id=project_id,
            owner_id=owner_id,
            kind=kind,
            queue=queue,
            title=title[:300],
            request=request,
            control=control.model_dump(mode="json", exclude_defaults=True) if control else {},
            tape_id=tape_id,
            batch_id=batch_id,
            nudged_at=timezone.now(),
        )
        log_state(record, JobRecord.State.QUEUED)
        record.save(update_fields=["last_seq"])
        nudge_after_commit(queue, record.id)
    return Job.of(record)


def load_job(project_id: UUID, job_id: UUID) -> Job:
    """Return a job of a project.

    Raises:
        NotFoundError: the project has no such job.
    """
    return Job.of(find_row(JobRecord.objects.filter(project_id=project_id), job_id))


def lock_job(job_id: UUID) -> None:
    """Let others who lock this job wait until the transaction ends: they find what it stored."""
    find_row(locked_rows(), job_id)


def load_jobs(project_id: UUID, job_ids: Collection[UUID]) -> dict[UUID, Job]:
    """Return jobs by their ids; ids that the project does not have are omitted."""
    rows = JobRecord.objects.filter(project_id=project_id, id__in=job_ids)
    return {record.id: Job.of(record) for record in rows}


def list_succeeded(job_ids: Collection[UUID]) -> set[UUID]:
    """Return which of the given jobs, of any project, have succeeded."""
    succeeded = JobRecord.objects.filter(id__in=job_ids, state=JobRecord.State.SUCCEEDED)
    return set(succeeded.values_list("id", flat=True))


def find_active_job(tape_id: UUID) -> Job | None:
    """Return the newest unfinished job of a tape."""
    unfinished = JobRecord.objects.filter(tape_id=tape_id).exclude(state__in=FINAL_STATES)
    record = unfinished.order_by("-created_at", "-id").first()
    return Job.of(record) if record else None


def list_jobs(
    project_id: UUID,
    *,
    states: Collection[JobState] | None = None,
    kinds: Collection[str] = (),
    tape_id: UUID | None = None,
    since: datetime | None = None,
    limit: int = 50,
) -> list[Job]:
    """Return jobs, newest first; short-lived kinds are omitted unless `kinds` names them."""
    rows = _find_jobs(project_id, states=states, kinds=kinds, tape_id=tape_id)
    if since is not None:
        rows = rows.filter(created_at__gte=since)
    return [Job.of(record) for record in rows.order_by("-created_at", "-id")[:limit]]


def list_job_page(
    project_id: UUID,
    *,
    states: Collection[JobState] | None = None,
    kinds: Collection[str] = (),
    tape_id: UUID | None = None,
    is_folded: bool = False,
    after: str | None = None,
    limit: int = 50,
) -> Page[Job]:
    """Return jobs as `list_jobs` does, one page at a time.

    `is_folded`: without runs that another job of the list stands for.

    Raises:
        InvalidInputError: `after` is not a cursor.
    """
    rows = _find_jobs(project_id, states=states, kinds=kinds, tape_id=tape_id)
    rows = fold(rows) if is_folded else rows
    return list_newest(rows, Job.of, after=after, limit=limit, most=MAX_PAGE)


def _find_jobs(
    project_id: UUID,
    *,
    states: Collection[JobState] | None,
    kinds: Collection[str],
    tape_id: UUID | None,
) -> QuerySet[JobRecord]:
    rows = JobRecord.objects.filter(project_id=project_id)
    if states is not None:
        rows = rows.filter(state__in=states)
    rows = rows.filter(kind__in=kinds) if kinds else rows.exclude(kind__in=SHORT_LIVED_KINDS)
    if tape_id is not None:
        rows = rows.filter(tape_id=tape_id)
    return rows


def delete_short_lived_job(project_id: UUID, job_id: UUID) -> None:
    """Delete a finished job of a short-lived kind."""
    JobRecord.objects.filter(
        project_id=project_id, id=job_id, kind__in=SHORT_LIVED_KINDS, state__in=FINAL_STATES
    ).delete()


def delete_old_short_lived_jobs(*, older_than: timedelta = KEEP_SHORT_LIVED_FOR) -> int:
    """Delete jobs of short-lived kinds some time after their end; return how many."""
    old = JobRecord.objects.filter(
        kind__in=SHORT_LIVED_KINDS,
        state__in=FINAL_STATES,
        finished_at__lt=timezone.now() - older_than,
    )
    count = old.count()
    if count:
        old.delete()
    return count


def list_ids_like(project: UUID, text: str) -> list[UUID]:
    """Return the jobs whose ids start with a text."""
    return ids_like(JobRecord.objects.filter(project=project), text)
