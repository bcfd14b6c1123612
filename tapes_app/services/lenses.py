"""Lenses: who sees which, who may change them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from tapes_app.engine.errors import NotAllowedError
from tapes_app.services.people import Person
from tapes_app.storage import lenses as lens_storage
from tapes_app.storage.lenses import LensRow
from tapes_app.storage.tape_order import read_order


@dataclass(frozen=True)
class ShownLens:
    """A lens as one person sees it."""

    id: UUID
    name: str
    is_shared: bool
    is_own: bool
    can_change: bool
    owner: str
    """Name of the person who made it."""

    look: dict[str, Any]
    """Query, order, columns and marks."""

    updated_at: datetime


def list_lenses(person: Person) -> list[ShownLens]:
    """Return the person's own lenses and those that are shared with the project, by name."""
    return [_shown(row, person) for row in lens_storage.list_lenses(*_of(person))]


def create_lens(person: Person, **values: Any) -> ShownLens:
    """Keep a way to look at the list.

    Raises:
        InvalidInputError: it names an order that no list has, or the person has too many.
        ConflictError: the person has a lens of that name.
    """
    _check(values)
    return _shown(lens_storage.create_lens(*_of(person), **values), person)


@transaction.atomic
def change_lens(person: Person, lens_id: UUID, **changes: Any) -> ShownLens:
    """Change one's own lens; owners of the project change every shared one.

    Raises:
        NotFoundError: no such lens in the project, or it is another person's own.
        NotAllowedError: somebody else shared it.
        InvalidInputError: it names an order that no list has.
        ConflictError: its owner has another lens of that name.
    """
    _check(changes)
    _claim(person, lens_id)
    return _shown(lens_storage.change_lens(lens_id, *_of(person), **changes), person)


@transaction.atomic
def delete_lens(person: Person, lens_id: UUID) -> None:
    """Remove one's own lens; owners of the project remove every shared one.

    Raises:
        NotFoundError: no such lens in the project, or it is another person's own.
        NotAllowedError: somebody else shared it.
    """
    _claim(person, lens_id)
    lens_storage.delete_lens(lens_id, *_of(person))


def _claim(person: Person, lens_id: UUID) -> None:
    row = lens_storage.load_lens(lens_id, *_of(person))
    if not _may_change(row, person):
        raise NotAllowedError(
            f"{row.owner_name} shared the lens {row.name!r}; save it under a name of your own."
        )


def _check(values: dict[str, Any]) -> None:
    if "look" in values:
        read_order(values["look"]["sort"])


def _may_change(row: LensRow, person: Person) -> bool:
    return person.can_write and (row.owner_id == person.user_id or person.role == "owner")


def _of(person: Person) -> tuple[UUID, int]:
    return person.project_id, person.user_id


def _shown(row: LensRow, person: Person) -> ShownLens:
    return ShownLens(
        id=row.id,
        name=row.name,
        is_shared=row.is_shared,
        is_own=row.owner_id == person.user_id,
        can_change=_may_change(row, person),
        owner=row.owner_name,
        look=row.look,
        updated_at=row.updated_at,
    )
