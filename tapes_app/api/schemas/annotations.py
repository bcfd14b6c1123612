"""Notes, scores, labels and corrections: said about a tape, a step, a field or a piece of text."""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import Field

from tapes_app.api.schemas.bodies import In, Out
from tapes_app.storage.annotation_rows import Kind, Source

ScoreScale = Literal["thumbs", "five", "fraction"]


class AnnotationIn(In):
    """What a person says. A span needs a field, a field needs a step."""

    position: int | None = Field(default=None, ge=0, le=2**31 - 1)
    """Of the step; `None`: about the whole tape."""

    field: str = ""
    """JSON pointer into the step's body, such as `/content`; empty: the whole step."""

    start: int | None = Field(default=None, ge=0, le=2**31 - 1)
    end: int | None = Field(default=None, ge=0, le=2**31 - 1)
    """A span of the field's text in Unicode code points, the end exclusive; both or none."""

    quote: str = Field(default="", max_length=20_000)
    """The selected text or its beginning; other text at that place is refused."""

    kind: Kind = "note"
    name: str = ""
    """What is scored, or the label."""

    value: float | None = None
    scale: ScoreScale | None = None
    """Of a score: thumbs 0 or 1, five 1 to 5, fraction 0 to 1."""

    text: str = ""
    """Of a correction: what should stand in the place of the span; empty takes it out."""


class AnnotationPatchIn(In):
    """What changes; what is left out or null stays."""

    name: str | None = None
    value: float | None = None
    scale: ScoreScale | None = None
    text: str | None = None


class AnnotationOut(Out):
    id: UUID
    tape_id: UUID
    """The tape on which it was made; a relative's, when the step is shared with it."""

    position: int | None
    field: str
    start: int | None
    end: int | None
    quote: str
    """The beginning of the text that the span held."""

    kind: Kind
    name: str
    value: float | None
    scale: ScoreScale | None
    text: str
    source: Source
    source_name: str
    """The person, judge, checker or detector that said it."""

    can_edit: bool
    can_delete: bool
    created_at: datetime
    updated_at: datetime


class AnnotationListOut(Out):
    items: list[AnnotationOut]
