"""Batches in a list, two batches side by side, several against one, and the tapes of one task."""

from datetime import datetime
from typing import Literal
from uuid import UUID

from tapes_app.batches.comparing import StepMatch
from tapes_app.batches.services.comparison import Parting, PartingStep, Transition
from tapes_app.batches.services.matrix import PathColumn
from tapes_app.batches.services.metrics import BatchTotals, MetricDifference
from tapes_app.batches.store.batch_tapes import StepSign
from tapes_app.library.statistics import Estimate
from tapes_app.projects.api.bodies import Out
from tapes_app.tapes.task_outcome import Outcome


class BatchSummaryOut(Out):
    """A batch with sums over its tapes; `cost_micro_usd` in millionths of a US dollar."""

    id: UUID
    name: str
    created_at: datetime
    tape_count: int
    error_count: int
    """Tapes with an error."""

    passed_count: int
    failed_count: int
    pass_rate: Estimate | None
    """Of the tapes that are judged."""

    mean_score: float | None
    tokens: int
    cost_micro_usd: int


class BatchSummaryPageOut(Out):
    """One page of batches, newest first; pass `next` as `after` for the next one."""

    items: list[BatchSummaryOut]
    next: str | None


class BatchTapeOut(Out):
    id: UUID
    title: str
    agent_name: str
    task: str
    outcome: Outcome
    score: float | None
    step_count: int
    error_count: int
    tokens: int
    cost_micro_usd: int
    duration_seconds: float


class TapePairOut(Out):
    left: BatchTapeOut
    right: BatchTapeOut
    match: StepMatch | None
    """`null`: there were too many steps to look at."""

    left_step: PartingStep | None
    right_step: PartingStep | None


class LeftOutTapeOut(Out):
    """A tape that is in no pair.

    The other batch has none of its key, it has no key, or several tapes of one batch have the key.
    """

    side: Literal["left", "right"]
    why: Literal["alone", "no_key", "duplicate"]
    tape: BatchTapeOut


class BatchDiffOut(Out):
    by: str
    is_equal: bool
    """Every tape of either batch has an equal one in the other."""

    left: BatchTotals
    right: BatchTotals
    pairs: list[TapePairOut]
    left_out: list[LeftOutTapeOut]
    transitions: list[Transition]
    p_value: float | None
    """McNemar's exact test over the pairs that are judged on both sides; `null` without one."""

    pass_difference: Estimate | None
    """How much higher the right pass rate is over those pairs."""

    metrics: list[MetricDifference]
    partings: list[Parting]
    equal_count: int
    unmatched_count: int
    """Pairs with too many steps to look at."""


class PathRowOut(Out):
    tape: BatchTapeOut
    batch_name: str
    steps: list[StepSign]


class TaskPathsOut(Out):
    key: str
    rows: list[PathRowOut]
    columns: list[PathColumn]
    tape_count: int
    """How many tapes there are; `rows` may be fewer."""

    is_cut: bool
    """Of some tape the first steps are shown only."""
