"""Annotations as they are stored and read: their place, content and author."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

Kind = Literal["note", "score", "label", "correction"]
Source = Literal["person", "judge", "checker", "linter"]


@dataclass(frozen=True, slots=True)
class Anchor:
    """What an annotation is about: a tape, a step of it, a field, or a piece of its text."""

    position: int | None = None
    """Position of the step on the tape; `None` for the whole tape."""

    field: str = ""
    """JSON pointer into the step's body; empty for the whole step."""

    start: int | None = None
    end: int | None = None
    """End (exclusive) of a span of the field's text in code points; both or neither."""


@dataclass(frozen=True, slots=True)
class Content:
    """The content of an annotation; `name` is what the score rates, or the label."""

    kind: Kind
    name: str = ""
    value: float | None = None
    text: str = ""
    details: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AnnotationRow:
    """One annotation as a tape shows it."""

    id: UUID
    tape_id: UUID
    """The tape on which it was made; a different tape if the step is shared with a relative."""

    position: int | None
    """Position of its step on the tape that was requested."""

    field: str
    start: int | None
    end: int | None
    kind: Kind
    name: str
    value: float | None
    text: str
    source: Source
    source_name: str
    owner_id: int | None
    owner: str
    details: dict[str, Any]
    created_at: datetime
    updated_at: datetime
