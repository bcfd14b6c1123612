"""Lenses: who sees which, who may change them, and which tapes one selects."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from urllib.parse import parse_qs, urlencode
from uuid import UUID

from django.db import transaction

from tapes_app.engine.errors import NotAllowedError
from tapes_app.library.domain.tape_query.conditions import Match, Words, all_of, conjuncts
from tapes_app.library.domain.tape_query.parser import parse_query
from tapes_app.library.services.queries import read_filter
from tapes_app.library.store import lenses
from tapes_app.library.store.lenses import LensRow
from tapes_app.library.store.order import read_order
from tapes_app.library.store.plans import TapeFilter
from tapes_app.projects.domain.columns import fit_text
from tapes_app.projects.domain.rows import required, row_of
from tapes_app.projects.services.people import Person

_LONGEST_SEARCH = 500


@dataclass(frozen=True)
class Lens:
    """A lens as one person sees it."""

    id: UUID
    name: str
    is_shared: bool
    is_own: bool
    can_change: bool
    owner: str
    """Name of the person who created it."""

    look: dict[str, Any]
    """Query, order, columns and marks."""

    updated_at: datetime


def list_lenses(person: Person) -> list[Lens]:
    """Return the person's own lenses and those that are shared with the project, by name."""
    return [_shown(row, person) for row in lenses.list_lenses(*_of(person))]


def load_lens_named(person: Person, name: str) -> Lens:
    """Return the lens with the given name that the person sees, their own before a shared one.

    Raises:
        NotFoundError: the person sees no lens of this name.
    """
    row = lenses.find_lens_named(name, *_of(person))
    missing = f"There is no lens {name!r} in {person.project!r}."
    return _shown(required(row, missing), person)


@transaction.atomic
def save_search(
    person: Person, name: str, *, q: str, sort: str = "", is_shared: bool | None = None
) -> Lens:
    """Save a query and an order as a lens, or update the person's lens of that name.

    The columns and marks of an existing lens stay.

    Raises:
        QueryError: the query cannot be parsed.
        InvalidInputError: the order is unknown, or the person has too many lenses.
        NotAllowedError: the lens is shared, and the person may only view the project.
    """
    parse_query(q)
    asked = {"query": urlencode({"q": q}) if q else "", "sort": sort}
    row = lenses.find_lens_named(name, *_of(person))
    shared = {} if is_shared is None else {"is_shared": is_shared}
    if row is None or row.owner_id != person.user_id:
        look = {**asked, "columns": [], "marks": []}
        return create_lens(person, name=name, look=look, **{"is_shared": False, **shared})
    return change_lens(person, row.id, look={**row.look, **asked}, **shared)


def filter_of(look: dict[str, Any]) -> TapeFilter:
    """Return the filter for a lens's tapes; its conditions are written as in a page's address.

    Raises:
        QueryError: its query cannot be parsed.
    """
    asked = {name: values[-1] for name, values in parse_qs(look.get("query", "")).items()}
    found = read_filter(asked.get("q", ""))
    narrower = [
        Match(field, (asked[field],)) for field in ("agent", "batch", "lint") if field in asked
    ]
    search, show = asked.get("search", "").strip(), asked.get("show")
    clauses = (
        *conjuncts(found.query.clause),
        *([Words(fit_text(search, _LONGEST_SEARCH))] if search else []),
        *narrower,
        *([Match("has", ("error",))] if asked.get("error") == "1" else []),
        *([Match("is", (show,))] if show in ("pinned", "archived") else []),
    )
    return replace(found, query=replace(found.query, clause=all_of(clauses)))


def create_lens(person: Person, **values: Any) -> Lens:
    """Save a view of the list as a lens.

    Raises:
        InvalidInputError: it names an unknown order, or the person has too many lenses.
        ConflictError: the person already has a lens of that name.
        NotAllowedError: the lens is shared, and the person may only view the project.
    """
    _check(person, values)
    return _shown(lenses.create_lens(*_of(person), **values), person)


@transaction.atomic
def change_lens(person: Person, lens_id: UUID, **changes: Any) -> Lens:
    """Change the person's own lens; project owners can change any shared lens.

    Raises:
        NotFoundError: no such lens in the project, or it is private to another person.
        NotAllowedError: somebody else shared it, or a person who may only view would share it.
        InvalidInputError: it names an unknown order.
        ConflictError: its owner has another lens of that name.
    """
    _check(person, changes)
    _claim(person, lens_id)
    return _shown(lenses.change_lens(lens_id, *_of(person), **changes), person)


@transaction.atomic
def delete_lens(person: Person, lens_id: UUID) -> None:
    """Delete the person's own lens; project owners can delete any shared lens.

    Raises:
        NotFoundError: no such lens in the project, or it is private to another person.
        NotAllowedError: somebody else shared it.
    """
    _claim(person, lens_id)
    lenses.delete_lens(lens_id, *_of(person))


def _claim(person: Person, lens_id: UUID) -> None:
    row = lenses.load_lens(lens_id, *_of(person))
    if not _may_change(row, person):
        if not person.can_write and row.owner_id == person.user_id:
            raise NotAllowedError(
                f"You can only view project {person.project!r}, and this lens is shared with it."
            )
        raise NotAllowedError(
            f"{row.owner_name} shared the lens {row.name!r}; save it under another name."
        )


def _check(person: Person, values: dict[str, Any]) -> None:
    if values.get("is_shared") and not person.can_write:
        raise NotAllowedError(
            f"You can only view project {person.project!r}, so you cannot share lenses with it."
        )
    if "look" in values:
        read_order(values["look"]["sort"])


def _may_change(row: LensRow, person: Person) -> bool:
    is_own = row.owner_id == person.user_id
    return person.role == "owner" or (is_own and (person.can_write or not row.is_shared))


def _of(person: Person) -> tuple[UUID, int]:
    return person.project_id, person.user_id


def _shown(row: LensRow, person: Person) -> Lens:
    return row_of(
        Lens,
        row,
        is_own=row.owner_id == person.user_id,
        can_change=_may_change(row, person),
        owner=row.owner_name,
    )
