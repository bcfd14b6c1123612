"""What storage returns besides engine types: small frozen rows, never models or querysets."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, ClassVar
from uuid import UUID

from pydantic import ConfigDict

from tapes_app.engine.tape.families import Family
from tapes_app.engine.tape.steps import Writer
from tapes_app.engine.tape.tape import Split
from tapes_app.projects.domain.rows import ALL_FIELDS
from tapes_app.tapes.domain.task_outcome import Outcome


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums over a tape's LLM calls; unknown values count as nothing."""

    __pydantic_config__: ClassVar[ConfigDict] = ALL_FIELDS

    llm_call_count: int = 0
    unpriced_call_count: int = 0
    """How many of these calls have an unknown cost; if there are any, the cost is "at least"."""

    input_tokens: int = 0
    cache_read_tokens: int = 0
    output_tokens: int = 0
    cost_micro_usd: int = 0
    duration_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class SnippetPart:
    """A piece of text, and whether it matched the search."""

    text: str
    is_hit: bool


@dataclass(frozen=True, slots=True)
class TapeRow:
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
    has_error: bool
    is_pinned: bool
    is_archived: bool
    """Hidden and read-only until it is restored."""

    is_kept_from_training: bool
    split: Split
    task: str
    """The task of a set that it is an attempt at; empty: none."""

    expected: str
    """The expected answer, in lists only its beginning; empty: none is known."""

    actual: str
    """The actual answer, in lists only its beginning."""

    outcome: Outcome
    """pass or fail; empty: not judged."""

    score: float | None
    """How well it did its task, larger is better; `None`: not scored."""

    tags: tuple[str, ...]
    """The words that people tagged it with, in alphabetical order."""

    totals: Totals
    created_at: datetime
    updated_at: datetime
    active_job_id: UUID | None
    """The unfinished run of this tape, if there is one."""

    snippet: tuple[SnippetPart, ...] = field(default=(), kw_only=True)
    """Text from a step, title, task or answer that matched the words of a search."""


@dataclass(frozen=True, slots=True)
class TapeHeader(TapeRow):
    """One tape: everything but its steps."""

    owner_id: int | None
    source_id: str
    metadata: dict[str, Any]
    context: Any
    forked_at: int | None
    root_id: UUID | None
    parent_title: str
    edit_words: str
    """The edit that made it from its parent, in one line; empty: none did, or it is unknown."""

    agent_id: UUID | None
    agent_version_id: UUID | None
    agent_version: int | None
    """`None`: unknown, or a trial of a draft."""

    version: int
    digest: str


@dataclass(frozen=True, slots=True)
class FamilyBranch:
    """Marks a tape as a branch of Run N."""

    experiment_id: UUID
    number: int
    arm: str
    """`original`, the letter of a fix, or `edited`."""

    words: str
    """What its arm changes, in one line; empty for the recorded tape."""

    passed: bool | None
    """`None`: not judged."""


@dataclass(frozen=True, slots=True)
class FamilyMember:
    """A tape of the same family, for the branch map."""

    id: UUID
    parent_id: UUID | None
    forked_at: int | None
    step_count: int
    title: str
    author: str
    agent_name: str
    edit_words: str
    """The edit that made it from its parent, in one line; empty: none did, or it is unknown."""

    cost_micro_usd: int
    created_at: datetime
    is_pinned: bool
    is_archived: bool
    has_error: bool
    is_active: bool
    """Whether a run of it is not over."""

    outcome: Outcome
    """Whether it did its task; for a branch without an outcome, the verdict on the branch."""

    score: float | None
    """The mean of the scores that people, judges and checkers gave the tape as a whole."""

    models: tuple[str, ...]
    """The names of the models that it used."""

    branch: FamilyBranch | None

    bands: tuple[int, ...]
    """Where its own steps after the fork change family, including the first of them."""

    families: str
    """One letter per band: thought, action, observation, control, or (m) communication."""

    edits: tuple[int, ...]
    """Positions of its own steps with which a person replaced an agent's."""

    errors: tuple[int, ...]
    """Positions of its own steps that report an error."""


@dataclass(frozen=True, slots=True)
class TapeFamily:
    """The tapes of a family, oldest first."""

    items: tuple[FamilyMember, ...]
    stride: int
    """The bands cover every step (1) or only every n-th one."""

    count: int
    """How many tapes the family has; `items` may be fewer."""


@dataclass(frozen=True, slots=True)
class OutlineRow:
    """One step in the map, with the cost of the call that produced it."""

    position: int
    kind: str
    family: Family
    writer: Writer
    agent: str
    node: str
    prompt_id: str
    lane: str
    """Whose step it is, of agents that were called together; empty: none of them."""

    gist: str
    is_error: bool
    is_own: bool
    """Written for this tape; false when it is shared with an ancestor."""

    call_id: UUID | None
    input_tokens: int | None
    cache_read_tokens: int | None
    output_tokens: int | None
    cost_micro_usd: int | None
    duration_seconds: float | None


@dataclass(frozen=True, slots=True)
class StepCut:
    """What is missing from a step that is too large for a page."""

    size: int
    """Characters of the complete step as JSON; `/tapes/{id}/steps/{position}` returns it."""

    places: tuple[str, ...]
    """JSON pointers of truncated values; more values may follow in what was cut off."""


@dataclass(frozen=True, slots=True)
class StepRow(OutlineRow):
    """One step with everything in it."""

    body: dict[str, Any]
    edited_by: str
    """Name of the person who wrote it; empty when nobody did."""

    created_at: datetime
    cut: StepCut | None = field(default=None, kw_only=True)
    """If set, the body is only a beginning, marked by a key `$cut`; edits of it are refused."""


@dataclass(frozen=True, slots=True)
class StepHit:
    """A step of a tape in which words were found."""

    position: int
    excerpt: str
    """The matching words with some text around them, on one line."""


@dataclass(frozen=True, slots=True)
class FoundSteps:
    """Where words were found in a tape, in order; with `is_cut` there are more."""

    items: tuple[StepHit, ...]
    is_cut: bool


@dataclass(frozen=True, slots=True)
class AppendResult:
    """The result of an append; `added_count` is 0 when all steps were there already."""

    step_count: int
    version: int
    added_count: int
    call_ids: dict[str, UUID] = field(default_factory=dict)
    """Ids of the calls that were stored with the steps, by prompt id."""

    steps: tuple[StepRow, ...] = ()
    """The added steps in the form of `load_steps`."""


@dataclass(frozen=True, slots=True)
class BatchRow:
    id: UUID
    name: str
    tape_count: int
    error_count: int
    created_at: datetime
