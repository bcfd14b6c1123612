"""Rubrics, annotation queues, and what people answer in them."""

from typing import Annotated
from uuid import UUID

from pydantic import Field

from tapes_app.annotation.rubric import Rubric
from tapes_app.annotation.store.queues import Mode
from tapes_app.library.services.selection import TapeSelection
from tapes_app.projects.api.bodies import In, Line, Out

QueueName = Annotated[Line, Field(min_length=1, max_length=200, pattern=r"\S")]
_MOST_TARGETS = 5_000
_INTEGER = 2**31 - 1


class RubricIn(In):
    """A rubric with its questions; a change of them makes a version more."""

    name: QueueName
    rubric: Rubric


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

    mode: Mode = "single"
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


class AddedOut(Out):
    added_count: int


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
