"""Drafts: what a person is changing on a tape, what it would make, and who else does."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pydantic import Field

from tapes_app.api.schemas.bodies import In, Out
from tapes_app.api.schemas.steps import Family
from tapes_app.engine.splice import Operation


class DraftIn(In):
    """The whole draft as the browser sees it; `version` is what it last read."""

    version: int
    operations: list[Operation] = Field(max_length=10_000)
    applied_count: int = Field(ge=0)
    """How many of the operations count; the rest can be redone."""

    base_step_count: int | None = Field(default=None, ge=0)
    """Of how many steps the writer knows; by default as many as when the draft was begun."""


class OtherDraftOut(Out):
    """That somebody else edits the same tape: who, how much and when, not what."""

    person: str
    change_count: int
    updated_at: datetime


class StepProblemOut(Out):
    """Why Save and Resume would refuse a step of the edited tape."""

    position: int
    field: str
    """JSON pointer into the step; empty: the whole of it."""

    message: str


class DraftOut(Out):
    version: int
    operations: list[dict[str, Any]]
    applied_count: int
    updated_at: datetime | None
    base_step_count: int
    """How many steps the tape had when the draft was begun, or its growth last accepted."""

    step_count: int
    """How many it has; Save and Resume are refused while the two differ."""

    problems: list[StepProblemOut]
    others: list[OtherDraftOut]


class PreviewStepOut(Out):
    """A step of the tape as the draft would leave it."""

    position: int
    source: int | None
    """Its position on the tape; `None` when the draft wrote it."""

    is_stale: bool
    """Recorded after what the draft changed: kept to compare, left behind by Resume."""

    kind: str
    family: Family
    gist: str
    body: dict[str, Any] | None
    """Only for steps that the draft wrote; the others are on the tape."""

    problem: str
    """Why Save and Resume would refuse this step; empty when they would not."""


class DraftPreviewOut(Out):
    """The edited tape: what comes from where, and where it would go on."""

    version: int
    items: list[PreviewStepOut]
    resume_at: int
    """How many of these steps Resume keeps when it is not told otherwise."""
