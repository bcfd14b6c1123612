"""What every list shares: pages of rows, and the row of a project."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from functools import cache
from typing import Any, Generic, Literal, TypeVar
from uuid import UUID

from pydantic import ConfigDict

from tapes_app.engine.errors import NotFoundError

ALL_FIELDS = ConfigDict(json_schema_serialization_defaults_required=True)
"""For answers, such as dataclasses with defaults: the API declares the fields always present."""

Role = Literal["owner", "member", "viewer"]

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Amount:
    """How many rows there are, and how many bytes their texts take."""

    count: int
    size_bytes: int


def row_of(kind: Callable[..., Row], source: object, **others: Any) -> Row:
    """Build a dataclass from `source`'s attributes of the same names; `others` override them."""
    own = {name: getattr(source, name) for name in _names_of(kind) if name not in others}
    return kind(**own, **others)


def required(found: Row | None, missing: str) -> Row:
    """Return what was found.

    Raises:
        NotFoundError: nothing was; `missing` is the error message.
    """
    if found is None:
        raise NotFoundError(missing)
    return found


@cache
def _names_of(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


@dataclass(frozen=True, slots=True)
class Items(Generic[Row]):
    """A complete list; an object, so that fields can be added later."""

    items: Sequence[Row]


@dataclass(frozen=True, slots=True)
class Page(Generic[Row]):
    """Some rows of a list; `next` continues after them, `None` at the end."""

    items: tuple[Row, ...]
    next: str | None


def read_all(read: Callable[[str], Page[Row]]) -> list[Row]:
    """Return the rows of all pages; `read` takes the cursor of a page, empty for the first."""
    rows: list[Row] = []
    after: str | None = ""
    while after is not None:
        page = read(after)
        rows += page.items
        after = page.next
    return rows


@dataclass(frozen=True, slots=True)
class ProjectRow:
    id: UUID
    name: str
    role: Role
    created_at: datetime
    archived_at: datetime | None
    """Since when it is read-only; `None`: it is not archived."""
