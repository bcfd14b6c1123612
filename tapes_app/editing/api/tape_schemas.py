"""A tape as the editor opens it."""

from dataclasses import dataclass

from pydantic import Field, FiniteFloat

from tapes_app.editing.rows import OtherDraft
from tapes_app.editing.services.drafts import OpenDraft
from tapes_app.engine.tape import Split
from tapes_app.jobs.api.schemas import JobOut
from tapes_app.projects.api.bodies import In, Line
from tapes_app.tapes.rows import TapeHeader
from tapes_app.tapes.task_outcome import Outcome


class TapePatchIn(In):
    """What is left out stays as it is."""

    title: Line | None = Field(None, min_length=1, max_length=300)
    is_pinned: bool | None = None
    is_archived: bool | None = None
    is_kept_from_training: bool | None = None
    split: Split | None = None
    task: Line | None = Field(None, max_length=200)
    """Which task it is an attempt at; empty: none."""

    expected: str | None = Field(None, max_length=10_000)
    outcome: Outcome | None = None
    """Whether it did its task; empty: not judged."""

    score: FiniteFloat | None = None
    """`null` takes the score back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TapeOut(TapeHeader):
    """One tape's header with its newest run and who edits it: everything but its steps."""

    job: JobOut | None
    """The newest run of this tape."""

    draft: OpenDraft | None
    other_drafts: list[OtherDraft]
    """Who else edits this tape; only changes that are not saved yet."""
