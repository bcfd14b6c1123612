"""Datasets: stored, listed with sums over their tapes, deleted and restored."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Aggregate, Count, Exists, F, OuterRef, Q, QuerySet, Sum
from django.utils import timezone

from tapes_app.engine.errors import InvalidInputError
from tapes_app.models import DatasetRecord, DatasetTapeRecord
from tapes_app.projects.domain.columns import check_text, fit_text
from tapes_app.projects.domain.rows import Page, row_of
from tapes_app.projects.store.records import get_record, ids_like, list_newest, refusing_duplicates

NAME_LENGTH = 200
DESCRIPTION_LENGTH = 5_000
MOST_NAMES = 1_000


@dataclass(frozen=True, slots=True)
class DatasetRow:
    """A dataset with sums over its live tapes, including archived ones."""

    id: UUID
    name: str
    description: str
    owner_name: str
    created_at: datetime
    updated_at: datetime
    """When the dataset, or the set of tapes in it, was last changed."""

    tape_count: int
    archived_count: int
    train_count: int
    validation_count: int
    test_count: int
    unsplit_count: int
    """Tapes without a split."""

    kept_count: int
    """Tapes that are excluded from training."""

    step_count: int
    tokens: int
    """Input and output tokens."""

    cost_micro_usd: int
    """Cost of the calls that have a price."""

    llm_call_count: int
    unpriced_call_count: int
    """LLM calls with unknown cost."""


@dataclass(frozen=True, slots=True)
class DatasetName:
    """A dataset to choose from."""

    id: UUID
    name: str
    has_tape: bool
    """Whether it contains the requested tape."""


def list_datasets(project: UUID, *, after: str | None = None, limit: int = 50) -> Page[DatasetRow]:
    """Return a page of datasets with their sums, newest first, in two queries.

    Raises:
        InvalidInputError: `after` is not a cursor.
    """
    page = list_newest(_of(project), lambda record: record, after=after, limit=limit)
    return Page(_rows(page.items), page.next)


def list_names(project: UUID, *, tape_id: UUID | None = None) -> list[DatasetName]:
    """Return the newest datasets by name, each with whether it contains a tape, in one query."""
    places = DatasetTapeRecord.objects.filter(dataset_id=OuterRef("pk"), tape_id=tape_id)
    rows = (
        DatasetRecord.objects.filter(_is_live(project))
        .annotate(has_tape=Exists(places))
        .order_by("-created_at", "-id")
        .values_list("id", "name", "has_tape")[:MOST_NAMES]
    )
    return sorted((DatasetName(*row) for row in rows), key=lambda one: one.name.casefold())


def load_dataset(dataset_id: UUID, project: UUID) -> DatasetRow:
    """Return one dataset.

    Raises:
        NotFoundError: no such dataset in this project.
    """
    return _rows([get_dataset(dataset_id, project)])[0]


def find_dataset(name: str, project: UUID) -> DatasetRow | None:
    """Return the dataset with the given name, or `None` if the project has none."""
    found = list(_of(project).filter(name=fit_text(name.strip(), NAME_LENGTH))[:1])
    return _rows(found)[0] if found else None


def create_dataset(
    project: UUID, *, owner: int | None, name: str, description: str = ""
) -> DatasetRow:
    """Store a dataset without tapes.

    Raises:
        ConflictError: the project already has a dataset of that name.
        InvalidInputError: the name is empty, or a text is too long.
    """
    record = DatasetRecord(project_id=project, owner_id=owner)
    _fill(record, {"name": name, "description": description})
    _save(record)
    return load_dataset(record.id, project)


def change_dataset(dataset_id: UUID, project: UUID, **values: str) -> DatasetRow:
    """Change the name or the description of a dataset.

    Raises:
        NotFoundError: no such dataset in this project.
        ConflictError: the project has another dataset of that name.
        InvalidInputError: the name is empty, or a text is too long.
    """
    record = get_dataset(dataset_id, project)
    _fill(record, values)
    _save(record)
    return load_dataset(dataset_id, project)


def delete_dataset(dataset_id: UUID, project: UUID) -> None:
    """Mark a dataset as deleted; its tapes stay as they are.

    Raises:
        NotFoundError: no such dataset in this project.
    """
    record = get_dataset(dataset_id, project)
    DatasetRecord.objects.filter(id=record.id).update(deleted_at=timezone.now())


def restore_dataset(dataset_id: UUID, project: UUID) -> DatasetRow:
    """Restore a deleted dataset, with the tapes that were in it.

    Raises:
        NotFoundError: no such deleted dataset in this project.
        ConflictError: another dataset of the project has that name by now.
    """
    deleted = DatasetRecord.objects.filter(project_id=project, deleted_at__isnull=False)
    record = get_record(deleted, "Deleted dataset not found.", dataset_id=dataset_id)
    record.deleted_at = None
    _save(record)
    return load_dataset(dataset_id, project)


def get_dataset(dataset_id: UUID, project: UUID, *, for_update: bool = False) -> DatasetRecord:
    """Return a live dataset's record.

    Raises:
        NotFoundError: no such dataset in this project, or it is deleted.
    """
    records = _of(project)
    if for_update:
        records = records.select_for_update(of=("self",))
    return get_record(records, "Dataset not found.", dataset_id=dataset_id)


def _is_live(project: UUID) -> Q:
    return Q(project_id=project, deleted_at__isnull=True)


def _of(project: UUID) -> QuerySet[DatasetRecord, DatasetRecord]:
    return DatasetRecord.objects.filter(_is_live(project)).select_related("owner")


def _fill(record: DatasetRecord, values: Mapping[str, str]) -> None:
    if "name" in values:
        record.name = check_text(values["name"].strip(), NAME_LENGTH, "The dataset's name")
        if not record.name:
            raise InvalidInputError("A dataset needs a name.", field="name")
    if "description" in values:
        text = values["description"].strip()
        record.description = check_text(text, DESCRIPTION_LENGTH, "The description")


def _save(record: DatasetRecord) -> None:
    taken = f"The project already has a dataset {record.name!r}; choose another name."
    with refusing_duplicates(taken, name=record.name):
        record.save()


def _rows(records: Sequence[DatasetRecord]) -> tuple[DatasetRow, ...]:
    sums = _sum_tapes([record.id for record in records])
    return tuple(_row(record, sums.get(record.id, {})) for record in records)


def _sum_tapes(dataset_ids: Sequence[UUID]) -> dict[UUID, dict[str, Any]]:
    members = DatasetTapeRecord.objects.filter(dataset_id__in=dataset_ids)
    live = members.filter(tape__deleted_at__isnull=True).order_by()
    rows = live.values("dataset_id").annotate(**_SUMS)
    return {row["dataset_id"]: dict(row) for row in rows}


_SUMS: Mapping[str, Aggregate] = {
    "tape_count": Count("id"),
    "archived_count": Count("id", filter=Q(tape__archived_at__isnull=False)),
    "train_count": Count("id", filter=Q(tape__split="train")),
    "validation_count": Count("id", filter=Q(tape__split="validation")),
    "test_count": Count("id", filter=Q(tape__split="test")),
    "unsplit_count": Count("id", filter=Q(tape__split="")),
    "kept_count": Count("id", filter=Q(tape__is_kept_from_training=True)),
    "step_count": Sum("tape__step_count"),
    "tokens": Sum(F("tape__input_tokens") + F("tape__output_tokens")),
    "cost_micro_usd": Sum("tape__cost_micro_usd"),
    "llm_call_count": Sum("tape__llm_call_count"),
    "unpriced_call_count": Sum("tape__unpriced_call_count"),
}


def _row(record: DatasetRecord, sums: Mapping[str, Any]) -> DatasetRow:
    owner = record.owner.get_username() if record.owner else ""
    counts = {name: sums.get(name) or 0 for name in _SUMS}
    return row_of(DatasetRow, record, owner_name=owner, **counts)


def list_ids_like(project: UUID, text: str) -> list[UUID]:
    """Return the datasets, including deleted ones, whose ids begin with the given text."""
    return ids_like(DatasetRecord.objects.filter(project=project), text)
