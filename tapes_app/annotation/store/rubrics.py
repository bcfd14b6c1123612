"""Rubrics and their versions, which never change."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import F

from tapes_app.annotation.domain.rubric import Rubric
from tapes_app.engine.errors import ConflictError
from tapes_app.models import QueueRecord, RubricRecord, RubricVersionRecord
from tapes_app.projects.domain.columns import check_name
from tapes_app.projects.store.records import get_record, refusing_duplicates

NAME_LENGTH = 200
_MOST_RUBRICS = 1000


@dataclass(frozen=True, slots=True)
class RubricRow:
    """A rubric in its newest version."""

    id: UUID
    name: str
    version_id: UUID
    version: int
    rubric: Rubric
    updated_at: datetime


def list_rubrics(project: UUID) -> list[RubricRow]:
    """Return the project's rubrics by name, each in its newest version."""
    newest = RubricVersionRecord.objects.filter(
        rubric__project_id=project, number=F("rubric__version_count")
    )
    found = newest.select_related("rubric").order_by("rubric__name")
    return [_row(record) for record in found[:_MOST_RUBRICS]]


def load_rubric(rubric_id: UUID, project: UUID) -> RubricRow:
    """Return one rubric in its newest version.

    Raises:
        NotFoundError: no such rubric in this project.
    """
    return _row(_newest(_get(rubric_id, project)))


def find_rubric(name: str, project: UUID) -> RubricRow | None:
    """Return the rubric with the given name, or `None` if the project has none."""
    record = RubricRecord.objects.filter(project_id=project, name=name).first()
    return None if record is None else _row(_newest(record))


def create_rubric(project: UUID, name: str, rubric: Rubric, *, owner: int | None) -> RubricRow:
    """Store a rubric as its version 1.

    Raises:
        ConflictError: the project already has a rubric of that name.
    """
    record = RubricRecord(project_id=project, owner_id=owner, name=_check_name(name))
    return _add_version(record, rubric)


@transaction.atomic
def change_rubric(rubric_id: UUID, project: UUID, *, name: str, rubric: Rubric) -> RubricRow:
    """Rename a rubric, and add a version if its questions changed.

    Raises:
        NotFoundError: no such rubric in this project.
        ConflictError: the project has another rubric of that name.
    """
    record = _get(rubric_id, project, for_update=True)
    record.name = _check_name(name)
    newest = _row(_newest(record))
    if newest.rubric == rubric:
        _save(record)
        return _row(_newest(record))
    return _add_version(record, rubric)


def delete_rubric(rubric_id: UUID, project: UUID) -> None:
    """Remove a rubric that no queue uses.

    Raises:
        NotFoundError: no such rubric in this project.
        ConflictError: a queue uses the rubric, or did.
    """
    record = _get(rubric_id, project)
    queues = QueueRecord.objects.filter(rubric_version__rubric=record)
    name = queues.values_list("name", flat=True).first()
    if name is not None:
        raise ConflictError(
            f"Queue {name!r} uses this rubric and its answers depend on it; delete the queue "
            "first.",
            queue_count=queues.count(),
        )
    record.delete()


@transaction.atomic
def _add_version(record: RubricRecord, rubric: Rubric) -> RubricRow:
    record.version_count += 1
    _save(record)
    version = RubricVersionRecord.objects.create(
        rubric=record, number=record.version_count, definition=rubric.model_dump(mode="json")
    )
    return _row(version)


def _save(record: RubricRecord) -> None:
    taken = f"The project already has a rubric {record.name!r}; choose another name."
    with refusing_duplicates(taken, name=record.name):
        record.save()


def _check_name(name: str) -> str:
    return check_name(name, NAME_LENGTH, "The rubric's name")


def _get(rubric_id: UUID, project: UUID, *, for_update: bool = False) -> RubricRecord:
    records = RubricRecord.objects.filter(project_id=project)
    wanted = records.select_for_update() if for_update else records
    return get_record(wanted, "Rubric not found.", rubric_id=rubric_id)


def _newest(record: RubricRecord) -> RubricVersionRecord:
    return record.versions.select_related("rubric").get(number=record.version_count)


def _row(record: RubricVersionRecord) -> RubricRow:
    return RubricRow(
        id=record.rubric.id,
        name=record.rubric.name,
        version_id=record.id,
        version=record.number,
        rubric=Rubric.model_validate(record.definition),
        updated_at=record.rubric.updated_at,
    )
