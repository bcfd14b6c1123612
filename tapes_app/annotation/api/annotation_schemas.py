"""Notes, scores, labels and corrections: said about a tape, a step, a field or a piece of text."""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from tapes_app.annotation.store.rows import Kind
from tapes_app.projects.api.bodies import In, Line, Out

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


class KeptFindingIn(In):
    """What a detector finds at a step."""

    detector: Annotated[Line, Field(min_length=1, max_length=110)]
    position: int = Field(ge=0, le=2**31 - 1)


class KeptFindingOut(Out):
    annotation_id: UUID
