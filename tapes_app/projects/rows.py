"""Rows that every list shares: a page of them, and a project."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from functools import cache
from typing import Any, Generic, Literal, TypeVar
from uuid import UUID

from pydantic import ConfigDict

from tapes_app.engine.errors import NotFoundError

ALL_FIELDS = ConfigDict(json_schema_serialization_defaults_required=True)
"""For dataclasses with defaults that are answers: the API says that they are always there."""

Role = Literal["owner", "member", "viewer"]

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Amount:
    """How many rows, and what their texts take."""

    count: int
    size_bytes: int


def row_of(kind: Callable[..., Row], source: object, **others: Any) -> Row:
    """Return a dataclass with what `source` has under the names of its fields, but for `others`."""
    own = {name: getattr(source, name) for name in _names_of(kind) if name not in others}
    return kind(**own, **others)


def required(found: Row | None, missing: str) -> Row:
    """Return what was found.

    Raises:
        NotFoundError: nothing was; `missing` is the sentence that says so.
    """
    if found is None:
        raise NotFoundError(missing)
    return found


@cache
def _names_of(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


@dataclass(frozen=True, slots=True)
class Items(Generic[Row]):
    """A whole list; an object, so that more may stand beside it one day."""

    items: Sequence[Row]


@dataclass(frozen=True, slots=True)
class Page(Generic[Row]):
    """Some rows of a list; `next` continues after them, `None` at the end."""

    items: tuple[Row, ...]
    next: str | None


@dataclass(frozen=True, slots=True)
class ProjectRow:
    id: UUID
    name: str
    role: Role
    created_at: datetime
    archived_at: datetime | None
    """Since when it can only be read; `None`: it is not archived."""
