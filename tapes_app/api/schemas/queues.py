"""Rubrics, annotation queues, and what people answer in them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import Field

from tapes_app.api.schemas.bodies import In, Line, Out
from tapes_app.engine.agreement import Level
from tapes_app.engine.rubric import Rubric
from tapes_app.services.tape_selection import TapeSelection

QueueName = Annotated[Line, Field(min_length=1, max_length=200, pattern=r"\S")]
QueueMode = Literal["single", "pairwise"]
_MOST_TARGETS = 5_000
_INTEGER = 2**31 - 1


class RubricIn(In):
    """A rubric with its questions; a change of them makes a version more."""

    name: QueueName
    rubric: Rubric


class RubricOut(Out):
    id: UUID
    name: str
    version: int
    rubric: Rubric
    updated_at: datetime


class RubricListOut(Out):
    items: list[RubricOut]


class PresetOut(Out):
    """A rubric that ships with the studio."""

    name: str
    rubric: Rubric


class PresetListOut(Out):
    items: list[PresetOut]


class AnnotatorOut(Out):
    """Somebody who may write in the project."""

    id: int
    name: str


class AnnotatorListOut(Out):
    items: list[AnnotatorOut]


class TargetIn(In):
    """What an item is about: a tape, a pair of tapes, or a step of a tape."""

    tape_id: UUID
    other_tape_id: UUID | None = None
    """The right one of a pair."""

    position: int | None = Field(default=None, ge=0, le=_INTEGER)


class QueueItemsIn(In):
    """Tapes to add: those named, all of a batch or of a list. What is there already stays."""

    targets: list[TargetIn] = Field(default_factory=list, max_length=_MOST_TARGETS)
    batch_id: UUID | None = None
    selection: TapeSelection | None = None
    """Tapes as bulk actions take them; up to 10,000."""


class QueueIn(QueueItemsIn):
    name: QueueName
    rubric_id: UUID | None = None
    preset: str = Field(default="", max_length=100)
    """A rubric that ships with the studio, in the place of `rubric_id`."""

    mode: QueueMode = "single"
    annotators_per_item: int = Field(default=1, ge=1, le=20)
    audit_percent: float | None = Field(default=None, ge=0, le=100)
    """Share of the items that one person more answers.

    `null`: 10 where an item needs one person and several may answer, otherwise 0.
    """

    lock_minutes: int = Field(default=30, ge=1, le=10_080)
    people: list[int] = Field(default_factory=list, max_length=1000)
    """Who may answer; empty: everybody who may write."""


class QueuePatchIn(In):
    """What is left out stays as it is."""

    name: QueueName | None = None
    lock_minutes: int | None = Field(default=None, ge=1, le=10_080)
    people: list[int] | None = Field(default=None, max_length=1000)


class QueueOut(Out):
    id: UUID
    name: str
    mode: QueueMode
    rubric_id: UUID
    rubric_name: str
    rubric_version: int
    rubric: Rubric
    annotators_per_item: int
    audit_percent: float
    lock_minutes: int
    people: list[AnnotatorOut]
    item_count: int
    done_count: int
    answer_count: int
    pair_count: int
    agreeing_count: int
    """Pairs of answers to the same item, and how many of them come to the same verdict."""

    created_at: datetime


class QueuePageOut(Out):
    items: list[QueueOut]
    next: str | None


class AddedOut(Out):
    added_count: int


class LockedOut(Out):
    person: str
    item_count: int


class QueueProgressOut(Out):
    """How far the person is who asks; `locked` is what others hold."""

    answered_count: int
    skipped_count: int
    locked: list[LockedOut]


class AssignmentOut(Out):
    """An item to answer; after going back with what was answered."""

    item_id: UUID
    number: int
    tape_id: UUID
    tape_title: str
    other_tape_id: UUID | None
    other_tape_title: str
    position: int | None
    held_until: datetime | None
    values: dict[str, Any]
    note: str


class WorkOut(Out):
    assignment: AssignmentOut | None
    """`None`: nothing is left for the person."""

    progress: QueueProgressOut


class AnswerIn(In):
    """Values by the keys of the rubric's items."""

    values: dict[Line, bool | float | Line | None] = Field(max_length=100)
    seconds: float = Field(default=0, ge=0, le=1e9)
    note: Line = ""


class RequeueIn(In):
    """Bring back what was put off: all that oneself did, or one item for everybody."""

    item_id: UUID | None = None


class RequeuedOut(Out):
    requeued_count: int


class QueueAnswerOut(Out):
    id: UUID
    person: str
    values: dict[str, Any]
    score: float | None
    seconds: float
    note: str
    answered_at: datetime


class QueueItemOut(Out):
    id: UUID
    number: int
    tape_id: UUID
    tape_title: str
    other_tape_id: UUID | None
    other_tape_title: str
    position: int | None
    place_count: int
    answers: list[QueueAnswerOut]
    held_by: list[str]
    skipped_by: list[str]


class QueueItemPageOut(Out):
    items: list[QueueItemOut]
    next: str | None


class AgreementOut(Out):
    """How far people say the same of the same things; `null` where a measure is undefined."""

    unit_count: int
    percent: float | None
    kappa: float | None
    alpha: float | None
    level: Level


class ValueCountOut(Out):
    value: str
    count: int


class ItemResultOut(Out):
    key: str
    question: str
    kind: str
    answer_count: int
    mean: float | None
    values: list[ValueCountOut]
    agreement: AgreementOut | None


class PersonResultOut(Out):
    person: str
    answer_count: int
    mean_score: float | None
    median_seconds: float


class QueueResultsOut(Out):
    items: list[ItemResultOut]
    score: ItemResultOut | None
    people: list[PersonResultOut]
    answer_count: int
    is_cut: bool
    """There are more answers than were looked at: the newest."""
