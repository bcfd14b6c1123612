"""Annotations as they are stored and read: where they are, what they say, who said it."""

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
    """Of the step on the tape; `None`: the whole tape."""

    field: str = ""
    """JSON pointer into the step's body; empty: the whole step."""

    start: int | None = None
    end: int | None = None
    """A span of the field's text in code points, the end exclusive; both or none."""


@dataclass(frozen=True, slots=True)
class Content:
    """What an annotation says; `name` is what is scored or labeled."""

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
    """The tape on which it was made; another one for a step shared with a relative."""

    position: int | None
    """Of its step on the tape that was asked for."""

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
