"""Tapes: rows of lists and whole headers."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from pydantic import Field, FiniteFloat

from tapes_app.api.schemas.bodies import In, Line, Out
from tapes_app.api.schemas.drafts import DraftOut, OtherDraftOut
from tapes_app.api.schemas.jobs import JobOut
from tapes_app.engine.tape import Split
from tapes_app.engine.task_outcome import Outcome


class TotalsOut(Out):
    """Sums over a tape's LLM calls; `cost_micro_usd` in millionths of a US dollar.

    `duration_seconds` is how long the calls took together.
    """

    llm_call_count: int
    input_tokens: int
    cache_read_tokens: int
    output_tokens: int
    cost_micro_usd: int
    duration_seconds: float


class SnippetPartOut(Out):
    """A piece of plain text, and whether it is what was searched for."""

    text: str
    is_hit: bool


class TapeRowOut(Out):
    """A tape in a list."""

    id: UUID
    title: str
    agent_name: str
    author: str
    batch_id: UUID | None
    batch_name: str
    parent_id: UUID | None
    step_count: int
    error_count: int
    is_pinned: bool
    is_archived: bool
    """Out of the lists and read-only until it is brought back."""

    is_kept_from_training: bool
    """Do not train: no training format holds it."""

    split: Split
    """What it is for; empty: nobody said."""

    task: str
    """Which task of a set it is an attempt at; empty: none."""

    expected: str
    """The answer that was asked for, in lists its beginning; empty: none is known."""

    actual: str
    """The answer that it came to, in lists its beginning."""

    outcome: Outcome
    """Whether it did its task; empty: nobody judged it."""

    score: float | None
    """How well it did its task, larger is better; `null`: nobody scored it."""

    tags: list[str]
    """In alphabetical order, lower case."""

    totals: TotalsOut
    created_at: datetime
    updated_at: datetime
    active_job_id: UUID | None
    """The unfinished run of this tape, if there is one."""

    snippet: list[SnippetPartOut] = Field(default_factory=list)
    """Some text of a step in which the words of a search were found."""


class TapePageOut(Out):
    """One page of tapes; pass `next` as `after` for the next one."""

    items: list[TapeRowOut]
    next: str | None
    searched_count: int | None
    """Of a search that looks into steps: how many tapes it looked at for this page."""

    is_cut: bool
    """The time was up before the page was full; `next` searches on."""


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


class FamilyMemberOut(Out):
    """A tape of the same family, for the branch map."""

    id: UUID
    parent_id: UUID | None
    forked_at: int | None
    """How many leading steps it shares with its parent."""

    step_count: int
    title: str
    author: str
    agent_name: str
    cost_micro_usd: int
    created_at: datetime
    is_pinned: bool
    is_archived: bool
    has_error: bool
    is_active: bool
    """A run of it is not over."""

    score: float | None
    """The mean of what people, judges and checkers gave the whole tape."""

    bands: list[int]
    """Where its own steps after the fork change family, the first of them included."""

    families: str
    """A letter for each band: thought, action, observation, control, or (m) communication."""

    edits: list[int]
    errors: list[int]


class TapeFamilyOut(Out):
    """The tapes of a family, oldest first; `count` of them in all, of which `items` may be fewer.

    The bands tell of every step (`stride` 1) or of each so many-th one.
    """

    items: list[FamilyMemberOut]
    stride: int
    count: int


class StepHitOut(Out):
    """A step in which words were found, with some text around them."""

    position: int
    excerpt: str


class FoundStepsOut(Out):
    """Where words were found in a tape, in its order; with `is_cut` there are more."""

    items: list[StepHitOut]
    is_cut: bool


class TapeOut(TapeRowOut):
    """One tape's header: everything but its steps."""

    source_id: str
    metadata: dict[str, Any]
    context: Any
    forked_at: int | None
    parent_title: str
    agent_id: UUID | None
    agent_version_id: UUID | None
    agent_version: int | None
    job: JobOut | None
    """The newest run of this tape."""

    draft: DraftOut | None
    other_drafts: list[OtherDraftOut]
    """Who else edits this tape; only changes that are not saved yet."""
