"""Rows that every list shares: a page of them, and a project."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, Literal, TypeVar
from uuid import UUID

from pydantic import ConfigDict

ALL_FIELDS = ConfigDict(json_schema_serialization_defaults_required=True)
"""For dataclasses with defaults that are answers: the API says that they are always there."""

Role = Literal["owner", "member", "viewer"]

Row = TypeVar("Row")


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
