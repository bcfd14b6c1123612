"""Tags, and which tapes a bulk action is done with."""

from __future__ import annotations

from uuid import UUID

from ninja import Schema
from pydantic import Field

from tapes_app.services.tape_selection import TapeSelection


class TagOut(Schema):
    """A tag of the project, and how many tapes have it."""

    name: str
    tape_count: int


class TagChangeIn(TapeSelection):
    """Which tapes get which tags and lose which; tags are stored in lower case."""

    add: list[str] = Field(default_factory=list, max_length=50)
    remove: list[str] = Field(default_factory=list, max_length=50)


class TagChangeOut(Schema):
    """`id` takes it back; null when nothing changed."""

    id: UUID | None
    tape_count: int
    changed_count: int


class TapeCountOut(Schema):
    tape_count: int
