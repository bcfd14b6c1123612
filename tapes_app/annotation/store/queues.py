"""Annotation queues; what goes into them is in `queue_filling`."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from tapes_app.annotation.domain.rubric import Rubric
from tapes_app.engine.errors import InvalidInputError
from tapes_app.models import MembershipRecord, QueueRecord
from tapes_app.projects.domain.columns import check_name, fit_text
from tapes_app.projects.domain.rows import Page, row_of
from tapes_app.projects.store.records import get_record, list_newest, refusing_duplicates

NAME_LENGTH = 200
Mode = Literal["single", "pairwise"]


@dataclass(frozen=True, slots=True)
class PersonRow:
    """Somebody who can edit the project."""

    id: int
    name: str


@dataclass(frozen=True, slots=True)
class QueueRow:
    """A queue with its progress."""

    id: UUID
    name: str
    mode: Mode
    rubric_id: UUID
    rubric_name: str
    rubric_version: int
    rubric: Rubric
    annotators_per_item: int
    audit_percent: float
    lock_minutes: int
    people: tuple[PersonRow, ...]
    """Who may answer; empty means everybody with write access."""

    item_count: int
    done_count: int
    answer_count: int
    pair_count: int
    agreeing_count: int
    """Of `pair_count` pairs of answers to the same item, how many lead to the same verdict."""

    created_at: datetime


def list_people(project: UUID) -> list[PersonRow]:
    """Return who can edit a project, by name."""
    members = MembershipRecord.objects.filter(project_id=project).exclude(role="viewer")
    found = members.select_related("user").order_by("user__username", "id")
    return [PersonRow(member.user_id, member.user.get_username()) for member in found]


def list_queues(project: UUID, *, after: str | None = None, limit: int = 50) -> Page[QueueRow]:
    """Return a page of queues, newest first, in two queries.

    Raises:
        InvalidInputError: `after` is not a cursor.
    """
    return list_newest(_of(project), _row, after=after, limit=limit)


def load_queue(queue_id: UUID, project: UUID) -> QueueRow:
    """Return one queue.

    Raises:
        NotFoundError: no such queue in this project.
    """
    return _row(get_queue(queue_id, project))


def find_queue(name: str, project: UUID) -> QueueRow | None:
    """Return the queue with the given name, or `None` if the project has none."""
    record = _of(project).filter(name=fit_text(name, NAME_LENGTH)).first()
    return None if record is None else _row(record)


@transaction.atomic
def create_queue(
    project: UUID,
    *,
    owner: int | None,
    rubric_version: UUID,
    people: Sequence[int] = (),
    **values: Any,
) -> QueueRow:
    """Store a queue without items; `values` are columns of its record.

    Raises:
        ConflictError: the project already has a queue of that name.
        InvalidInputError: one of the people may not write in the project.
    """
    record = QueueRecord(
        project_id=project,
        owner_id=owner,
        rubric_version_id=rubric_version,
        seed=uuid4().hex,
        **{**values, "name": _check_name(values["name"])},
    )
    _save(record)
    record.people.set(_check_people(project, people))
    return load_queue(record.id, project)


@transaction.atomic
def change_queue(
    queue_id: UUID, project: UUID, *, people: Sequence[int] | None = None, **values: Any
) -> QueueRow:
    """Change the name, the lock or the people of a queue.

    Raises:
        NotFoundError: no such queue in this project.
        ConflictError: the project has another queue of that name.
        InvalidInputError: one of the people may not write in the project.
    """
    record = get_queue(queue_id, project)
    if "name" in values:
        values["name"] = _check_name(values["name"])
    for name, value in values.items():
        setattr(record, name, value)
    _save(record, fields=tuple(values))
    if people is not None:
        record.people.set(_check_people(project, people))
    return load_queue(queue_id, project)


def delete_queue(queue_id: UUID, project: UUID) -> None:
    """Remove a queue from the list; its answers and annotations stay.

    Raises:
        NotFoundError: no such queue in this project.
    """
    record = get_queue(queue_id, project)
    QueueRecord.objects.filter(id=record.id).update(deleted_at=timezone.now())


def _check_people(project: UUID, wanted: Sequence[int]) -> set[int]:
    known = {person.id for person in list_people(project)}
    for person in wanted:
        if person not in known:
            raise InvalidInputError(
                f"Person {person} cannot edit this project; make them a member first.",
                person=person,
            )
    return set(wanted)


def _check_name(name: str) -> str:
    return check_name(name, NAME_LENGTH, "The queue's name")


def _save(record: QueueRecord, *, fields: tuple[str, ...] | None = None) -> None:
    taken = f"The project already has a queue {record.name!r}; choose another name."
    with refusing_duplicates(taken, name=record.name):
        # Saves only the changed fields and not the counters, which others may be changing.
        record.save(update_fields=fields)


def _of(project: UUID) -> QuerySet[QueueRecord, QueueRecord]:
    found = QueueRecord.objects.filter(project_id=project, deleted_at__isnull=True)
    return found.select_related("rubric_version__rubric").prefetch_related("people")


def get_queue(queue_id: UUID, project: UUID) -> QueueRecord:
    """Return the record of a queue.

    Raises:
        NotFoundError: no such queue in this project.
    """
    return get_record(_of(project), "Queue not found.", queue_id=queue_id)


def _row(record: QueueRecord) -> QueueRow:
    version = record.rubric_version
    people = sorted(
        (PersonRow(person.pk, person.get_username()) for person in record.people.all()),
        key=lambda person: person.name,
    )
    return row_of(
        QueueRow,
        record,
        rubric_id=version.rubric_id,
        rubric_name=version.rubric.name,
        rubric_version=version.number,
        rubric=Rubric.model_validate(version.definition),
        people=tuple(people),
    )
