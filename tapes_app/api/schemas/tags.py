"""Tags, and which tapes a bulk action is done with."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from pydantic import Field, field_validator

from tapes_app.api.schemas.batches import LeftOutOut, list_reasons
from tapes_app.api.schemas.bodies import Out
from tapes_app.services.tape_changes import TapeChange
from tapes_app.services.tape_selection import TapeSelection


class TagOut(Out):
    """A tag of the project, and how many tapes have it."""

    name: str
    tape_count: int


class TagChangeIn(TapeSelection):
    """Which tapes get which tags and lose which; tags are stored in lower case."""

    add: list[str] = Field(default_factory=list, max_length=50)
    remove: list[str] = Field(default_factory=list, max_length=50)


class ChangeOut(Out):
    """`id` takes it back; null when nothing changed."""

    id: UUID | None
    tape_count: int
    changed_count: int


class TapeChangeIn(TapeSelection):
    """Which tapes, and what becomes of each."""

    change: TapeChange


class TapeChangeOut(ChangeOut):
    """`id` takes it back; null when nothing changed."""

    left_out: list[LeftOutOut]
    """Tapes that could not be changed, by reason; those that were so already are none."""

    @field_validator("left_out", mode="before")
    @classmethod
    def _list_reasons(cls, reasons: Any) -> Any:
        return list_reasons(reasons)


class TapeCountOut(Out):
    tape_count: int
