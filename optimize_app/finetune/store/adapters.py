"""Adapters with their lineage: base, training set, finetune."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from optimize_app.models import AdapterRecord
from tapes_app.projects.domain.rows import Page
from tapes_app.projects.store.records import get_record, list_newest


@dataclass(frozen=True, slots=True)
class AdapterRow:
    """The result of a finetune."""

    id: UUID
    name: str
    job_id: UUID
    """The finetune that made it."""

    training_set_id: UUID
    training_set_name: str
    base: str
    method: str
    """lora or full."""

    steps: int
    loss: float | None
    """Loss of the last step, in nats per learnt token."""

    held_out_loss: float | None
    """The best held-out loss."""

    created_at: datetime


def list_adapters(project: UUID, *, after: str | None = None, limit: int = 50) -> Page[AdapterRow]:
    """Return a page of adapters, newest first.

    Raises:
        InvalidInputError: `after` is not a cursor.
    """
    return list_newest(_of(project), _row, after=after, limit=limit)


def load_adapter(adapter_id: UUID, project: UUID) -> AdapterRow:
    """Return one adapter.

    Raises:
        NotFoundError: no such adapter in this project.
    """
    return _row(get_record(_of(project), "Adapter not found.", adapter_id=adapter_id))


def find_adapter(name: str, project: UUID) -> AdapterRow | None:
    """Return the newest adapter of that name."""
    record = _of(project).filter(name=name).order_by("-created_at", "-id").first()
    return _row(record) if record is not None else None


def save_adapter(
    project: UUID,
    *,
    owner: int | None,
    job_id: UUID,
    name: str,
    training_set_id: UUID,
    base: str,
    config: Mapping[str, Any],
    steps: int,
    loss: float | None,
    held_out_loss: float | None,
) -> AdapterRow:
    """Store the result of a finetune, once."""
    values = {
        "project_id": project,
        "owner_id": owner,
        "name": name,
        "training_set_id": training_set_id,
        "base": base,
        "config": dict(config),
        "steps": steps,
        "loss": loss,
        "held_out_loss": held_out_loss,
    }
    record, _ = AdapterRecord.objects.get_or_create(job_id=job_id, defaults=values)
    return _row(record)


def _of(project: UUID) -> Any:
    return AdapterRecord.objects.filter(project_id=project).select_related("training_set")


def _row(record: AdapterRecord) -> AdapterRow:
    return AdapterRow(
        id=record.id,
        name=record.name,
        job_id=record.job_id,
        training_set_id=record.training_set_id,
        training_set_name=record.training_set.name,
        base=record.base,
        method=record.config["method"],
        steps=record.steps,
        loss=record.loss,
        held_out_loss=record.held_out_loss,
        created_at=record.created_at,
    )
