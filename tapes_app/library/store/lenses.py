"""Lenses: saved views of the list of tapes."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from tapes_app.engine.errors import InvalidInputError
from tapes_app.models import LensRecord
from tapes_app.projects.domain.columns import check_name
from tapes_app.projects.domain.rows import row_of
from tapes_app.projects.store.records import get_record, refusing_duplicates

NAME_LENGTH = 100
MOST_LENSES = 200
"""Most lenses of one person in one project; the list is loaded in full, so it needs a limit."""


@dataclass(frozen=True, slots=True)
class LensRow:
    """A lens as it is stored."""

    id: UUID
    name: str
    is_shared: bool
    owner_id: int | None
    owner_name: str
    look: dict[str, Any]
    updated_at: datetime


def list_lenses(project: UUID, person: int) -> list[LensRow]:
    """Return the lenses that a person sees: their own and the shared ones, by name."""
    return [_row(record) for record in _seen(project, person)]


def load_lens(lens_id: UUID, project: UUID, person: int) -> LensRow:
    """Return one lens.

    Raises:
        NotFoundError: no such lens in this project, or it is private to another person.
    """
    return _row(_get(lens_id, project, person))


def find_lens(lens_id: UUID, project: UUID, person: int) -> LensRow | None:
    """Return a lens that a person sees, or `None` if there is none of this id."""
    record = _seen(project, person).filter(id=lens_id).first()
    return None if record is None else _row(record)


def find_lens_named(name: str, project: UUID, person: int) -> LensRow | None:
    """Return the lens with the given name that a person sees, their own before a shared one."""
    named = [lens for lens in list_lenses(project, person) if lens.name == name]
    return min(named, key=lambda lens: lens.owner_id != person, default=None)


def create_lens(project: UUID, person: int, **values: Any) -> LensRow:
    """Store a lens; `values` are `name`, `is_shared` and `look`.

    Raises:
        ConflictError: the person already has a lens of that name.
        InvalidInputError: the person has the maximum number of lenses.
    """
    if LensRecord.objects.filter(project_id=project, owner_id=person).count() >= MOST_LENSES:
        raise InvalidInputError(f"You have {MOST_LENSES} lenses, the maximum; delete one first.")
    return _save(LensRecord(project_id=project, owner_id=person), values)


def change_lens(lens_id: UUID, project: UUID, person: int, **values: Any) -> LensRow:
    """Change some values of a lens.

    Raises:
        NotFoundError: no such lens in this project, or it is private to another person.
        ConflictError: its owner has another lens of that name.
    """
    return _save(_get(lens_id, project, person), values)


def delete_lens(lens_id: UUID, project: UUID, person: int) -> None:
    """Remove a lens.

    Raises:
        NotFoundError: no such lens in this project, or it is private to another person.
    """
    _get(lens_id, project, person).delete()


def _save(record: LensRecord, values: dict[str, Any]) -> LensRow:
    if "name" in values:
        values = {**values, "name": check_name(values["name"], NAME_LENGTH, "The lens's name")}
    for name, value in values.items():
        setattr(record, name, value)
    taken = f"A lens {record.name!r} already exists; choose another name."
    with refusing_duplicates(taken, name=record.name):
        record.save()
    return _row(record)


def _seen(project: UUID, person: int) -> QuerySet[LensRecord]:
    own_or_shared = Q(is_shared=True) | Q(owner_id=person)
    return LensRecord.objects.filter(own_or_shared, project_id=project).select_related("owner")


def _get(lens_id: UUID, project: UUID, person: int) -> LensRecord:
    return get_record(_seen(project, person), "Lens not found.", lens_id=lens_id)


def _row(record: LensRecord) -> LensRow:
    owner = record.owner.get_username() if record.owner else ""
    return row_of(LensRow, record, owner_name=owner)
