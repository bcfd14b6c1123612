"""Diffs of two tapes, and replays of one."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from tapes_app.api.schemas.bodies import In, Out
from tapes_app.api.schemas.steps import OutlineRowOut, StepOut
from tapes_app.api.schemas.tapes import TotalsOut
from tapes_app.engine.field_diff import FieldOp
from tapes_app.engine.tape_diff import DiffOp
from tapes_app.engine.task_outcome import Outcome


class ReplayIn(In):
    """Which agent version to replay with; the one that wrote the tape by default."""

    agent_version_id: UUID | None = None


class DivergenceOut(Out):
    """Where a replay first leaves the tape, and how."""

    position: int
    reason: Literal["node", "prompt", "no_recorded_call", "steps", "error"]
    message: str
    diff: str
    """Unified diff, tape against replay; empty where there is nothing to compare."""


class ReplayOut(Out):
    is_identical: bool
    step_count: int
    node_run_count: int
    """Node runs that were made again and compared."""

    divergence: DivergenceOut | None


class WordChangeOut(Out):
    op: Literal["equal", "insert", "delete"]
    text: str


class FieldDiffOut(Out):
    """One changed field; `words` when both sides are text that is alike."""

    path: str
    op: FieldOp
    old: Any
    """`null` also where it was not there."""

    new: Any
    words: list[WordChangeOut] | None


class FieldDiffListOut(Out):
    """What differs between two prompts, in the order of the prompts."""

    fields: list[FieldDiffOut]


class DiffRowOut(Out):
    """One line of an aligned diff; a run of equal steps is one row with `count`."""

    op: DiffOp
    """A moved step has its row where it is on the right."""

    count: int
    left: OutlineRowOut | None
    right: OutlineRowOut | None
    fields: list[FieldDiffOut]


class DiffSideOut(Out):
    """One of two tapes that are compared: what tells it from the other, and what it came to."""

    id: UUID
    title: str
    agent_name: str
    batch_name: str
    author: str
    outcome: Outcome
    """Whether it did its task; empty: nobody judged it."""

    score: float | None
    step_count: int
    error_count: int
    totals: TotalsOut
    created_at: datetime


class TapeDiffOut(Out):
    left: DiffSideOut
    right: DiffSideOut
    rows: list[DiffRowOut]
    first_divergence: int | None
    """Position on the left tape of the first difference; `None` when equal."""


class ReplacedStepOut(Out):
    """A step of a child, and the step of its parent that it stands for."""

    position: int
    before_position: int
    kind: str
    gist: str


class ReplacedOut(Out):
    """Every step behind the fork that says something else than the parent's."""

    items: list[ReplacedStepOut]


class ReplacedDetailOut(Out):
    """The parent's step, if there is one, and what differs."""

    before: StepOut | None
    fields: list[FieldDiffOut]
