"""Served models: rows, and the folder of the server that answers for them."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, get_args
from uuid import UUID

from django.db.models import QuerySet

from optimize_app.models import ServedModelRecord
from tapes_app.engine.errors import NotFoundError
from tapes_app.jobs.domain.protocol import FINAL_STATES, JobState
from tapes_app.jobs.store.job import Job, list_jobs
from tapes_app.projects.store.projects import lock_project
from tapes_app.projects.store.records import get_record

_MOST_SERVERS = 1000


@dataclass(frozen=True, slots=True)
class ServedRecord:
    """A served model as it is stored."""

    id: UUID
    name: str
    adapter_id: UUID | None
    adapter_name: str
    base: str
    job_id: UUID
    is_wanted: bool
    model_id: UUID | None
    parity: dict[str, Any]
    created_at: datetime


def list_served(project: UUID) -> list[ServedRecord]:
    """Return all served models of a project, newest first."""
    return [_row(record) for record in _of(project).order_by("-created_at", "-id")]


def list_of_server(job_id: UUID) -> list[ServedRecord]:
    """Return the models that a server should answer for."""
    found = ServedModelRecord.objects.filter(job_id=job_id, is_wanted=True)
    return [_row(record) for record in found.select_related("adapter").order_by("name")]


def load_served(served_id: UUID, project: UUID) -> ServedRecord:
    """Return one served model.

    Raises:
        NotFoundError: no such served model in this project.
    """
    return _row(get_record(_of(project), "Served model not found.", served_model_id=served_id))


def find_served(project: UUID, name: str) -> ServedRecord | None:
    """Return the served model of that name."""
    record = _of(project).filter(name=name).first()
    return _row(record) if record is not None else None


def save_served(
    project: UUID, *, owner: int | None, name: str, adapter_id: UUID | None, base: str, job_id: UUID
) -> ServedRecord:
    """Record that a server should answer for a model, for the first time or again."""
    record, _ = ServedModelRecord.objects.update_or_create(
        project_id=project,
        name=name,
        defaults={"job_id": job_id, "is_wanted": True, "parity": {}},
        create_defaults={
            "owner_id": owner,
            "adapter_id": adapter_id,
            "base": base,
            "job_id": job_id,
        },
    )
    return load_served(record.id, project)


def update_served(served_id: UUID, **fields: Any) -> None:
    """Change the given fields of a served model."""
    if not ServedModelRecord.objects.filter(id=served_id).update(**fields):
        raise NotFoundError("Served model not found.", served_model_id=str(served_id))


def forget_parities(job_id: UUID) -> None:
    """Delete the probe results of a server's models, as it starts again."""
    ServedModelRecord.objects.filter(job_id=job_id).update(parity={})


def find_server(project: UUID, base: str, kind: str) -> Job | None:
    """Return the job that serves, or will serve, a base in a project.

    Call it in a transaction: until that ends, nobody else can queue another one.
    """
    lock_project(project)
    unfinished = set(get_args(JobState)) - FINAL_STATES
    for job in list_jobs(project, kinds=(kind,), states=unfinished, limit=_MOST_SERVERS):
        if not job.is_cancel_requested and job.request["base"] == base:
            return job
    return None


def _of(project: UUID) -> QuerySet[ServedModelRecord]:
    return ServedModelRecord.objects.filter(project_id=project).select_related("adapter")


def _row(record: ServedModelRecord) -> ServedRecord:
    return ServedRecord(
        id=record.id,
        name=record.name,
        adapter_id=record.adapter_id,
        adapter_name=record.adapter.name if record.adapter else "",
        base=record.base,
        job_id=record.job_id,
        is_wanted=record.is_wanted,
        model_id=record.model_id,
        parity=record.parity,
        created_at=record.created_at,
    )
