"""Finetunes as people see them: listing, following and resuming them."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from optimize_app import shared_bases as bases
from optimize_app.finetune.request import FINETUNE_KIND, FinetuneRequest
from optimize_app.finetune.store import runs
from tapes_app.jobs.domain.protocol import JobState
from tapes_app.jobs.store.commands import requeue_job
from tapes_app.jobs.store.job import Job, list_job_page
from tapes_app.library.services.bulk_job import load_bulk_job
from tapes_app.projects.domain.rows import Page
from tapes_app.projects.services.people import Person


@dataclass(frozen=True, slots=True)
class FinetuneRow:
    """A finetune and its progress."""

    job_id: UUID
    name: str
    training_set_id: UUID
    base: str
    preset: str
    options: dict[str, Any]
    """What differs from the preset."""

    state: JobState
    message: str
    step: int
    steps: int | None
    """Total number of steps; `None` until the run has planned them."""

    loss: float | None
    """Loss of the last step; `None` before the first."""

    adapter_id: UUID | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None


@dataclass(frozen=True, slots=True)
class Metrics:
    """Events of a run; request the next ones with `next`."""

    events: list[dict[str, Any]]
    """Each has `event` and `step`: plan, step, measured, evaluation, generation, resumed, end.

    `notes` of a plan says what is not learnt of the examples, one sentence each: how many are left
    out and why, and how many lose their thoughts.
    `resumed` voids all earlier events about later steps.
    """

    next: int


def list_finetunes(
    person: Person, *, after: str | None = None, limit: int = 50
) -> Page[FinetuneRow]:
    """Return a page of finetunes, newest first.

    Raises:
        InvalidInputError: `after` is not a cursor.
    """
    page = list_job_page(person.project_id, kinds=(FINETUNE_KIND,), after=after, limit=limit)
    return Page(tuple(map(_row, page.items)), page.next)


def load_finetune(person: Person, job_id: UUID) -> FinetuneRow:
    """Return one finetune.

    Raises:
        NotFoundError: the project has no finetune of this id.
    """
    return _row(load_bulk_job(person, job_id, FINETUNE_KIND))


def load_config(person: Person, job_id: UUID) -> dict[str, Any]:
    """Return all options of a finetune; once it trains, all of them have values.

    Raises:
        NotFoundError: the project has no finetune of this id.
        InvalidInputError: it has not started, and its base no longer exists.
    """
    job = load_bulk_job(person, job_id, FINETUNE_KIND)
    request = FinetuneRequest.model_validate(job.request)
    runs.refresh_run(job_id, job.finished_at)
    config = runs.load_config(job_id)
    if config is None:
        base = bases.find(request.base, person.project_id)
        config = request.configure(base).model_dump(mode="json")
    return {**config, "base": request.base}  # by its name, not by its path


def load_metrics(person: Person, job_id: UUID, start: int) -> Metrics:
    """Return what a run wrote from byte `start` on.

    Raises:
        NotFoundError: the project has no finetune of this id.
    """
    job = load_bulk_job(person, job_id, FINETUNE_KIND)
    runs.refresh_run(job_id, job.finished_at)
    page = runs.read_metrics(job_id, start)
    return Metrics(page.events, page.next)


def resume_finetune(person: Person, job_id: UUID) -> Job:
    """Queue a finetune again; it continues from its last checkpoint.

    Raises:
        NotFoundError: the project has no finetune of this id.
        ConflictError: it is running, or it has succeeded.
    """
    load_bulk_job(person, job_id, FINETUNE_KIND)
    return requeue_job(person.project_id, job_id)


def _row(job: Job) -> FinetuneRow:
    request = FinetuneRequest.model_validate(job.request)
    adapter = (job.result or {}).get("adapter_id")
    runs.refresh_run(job.id, job.finished_at)
    return FinetuneRow(
        job_id=job.id,
        name=request.name,
        training_set_id=request.training_set_id,
        base=request.base,
        preset=request.preset,
        options=request.options,
        state=job.state,
        message=job.message,
        step=job.progress_done,
        steps=job.progress_total,
        loss=runs.find_last_loss(job.id),
        adapter_id=UUID(adapter) if adapter else None,
        created_at=job.created_at,
        started_at=job.started_at,
        finished_at=job.finished_at,
    )
