"""Batches in a list, two batches side by side, several against one, and the tapes of one task."""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from uuid import UUID

from tapes_app.api.schemas.bodies import Out
from tapes_app.api.schemas.experiments import IntervalOut
from tapes_app.engine.task_outcome import Outcome
from tapes_app.services.batch_metrics import Metric


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
    pass_rate: IntervalOut | None
    """Of the tapes that are judged."""

    mean_score: float | None
    tokens: int
    cost_micro_usd: int


class BatchSummaryPageOut(Out):
    """One page of batches, newest first; pass `next` as `after` for the next one."""

    items: list[BatchSummaryOut]
    next: str | None


class LooseIntervalOut(Out):
    """A value with its 95 % interval; no bounds where nothing is known of the spread."""

    value: float
    low: float | None
    high: float | None
    count: int


class MetricMeanOut(Out):
    """Cost in US dollars, duration in seconds of LLM calls."""

    metric: Metric
    mean: LooseIntervalOut


class BatchTotalsOut(Out):
    id: UUID
    name: str
    is_search: bool
    """It is a saved search."""

    tape_count: int
    """How many tapes were looked at."""

    is_cut: bool
    """It has more."""

    passed_count: int
    failed_count: int
    pass_rate: IntervalOut | None
    means: list[MetricMeanOut]


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


class StepMatchOut(Out):
    """How the steps of a pair go together, aligned by content."""

    first_left: int | None
    """The first step of the left tape that is not the same; `null`: the tapes are equal."""

    first_right: int | None
    equal: int
    left_only: int
    right_only: int


class PartingStepOut(Out):
    """The step at which a tape is when its pair parts; without a kind it had ended."""

    position: int
    kind: str
    agent: str
    node: str


class TapePairOut(Out):
    left: BatchTapeOut
    right: BatchTapeOut
    match: StepMatchOut | None
    """`null`: there were too many steps to look at."""

    left_step: PartingStepOut | None
    right_step: PartingStepOut | None


class LeftOutTapeOut(Out):
    """A tape that is in no pair.

    The other batch has none of its key, it has no key, or several tapes of one batch have the key.
    """

    side: Literal["left", "right"]
    why: Literal["alone", "no_key", "duplicate"]
    tape: BatchTapeOut


class TransitionOut(Out):
    left: Outcome
    right: Outcome
    count: int


class MetricDifferenceOut(Out):
    """Means over the pairs that have the metric on both sides, and how much higher the right is."""

    metric: Metric
    left: float
    right: float
    difference: LooseIntervalOut


class PartingOut(Out):
    """How many pairs part at a step of the left tape with this node and kind."""

    kind: str
    """Empty: the left tape had ended."""

    agent: str
    node: str
    count: int
    pass_to_fail: int
    fail_to_pass: int


class BatchDiffOut(Out):
    by: str
    is_equal: bool
    """Every tape of either batch has an equal one in the other."""

    left: BatchTotalsOut
    right: BatchTotalsOut
    pairs: list[TapePairOut]
    left_out: list[LeftOutTapeOut]
    transitions: list[TransitionOut]
    p_value: float | None
    """McNemar's exact test over the pairs that are judged on both sides; `null` without one."""

    pass_difference: IntervalOut | None
    """How much higher the right pass rate is over those pairs."""

    metrics: list[MetricDifferenceOut]
    partings: list[PartingOut]
    equal_count: int
    unmatched_count: int
    """Pairs with too many steps to look at."""


class MatrixRowOut(Out):
    """One batch, and how its pairs with the baseline differ."""

    totals: BatchTotalsOut
    pair_count: int
    pass_difference: IntervalOut | None
    p_value: float | None
    differences: list[MetricDifferenceOut]


class TaskCellOut(Out):
    """The tapes of one task in one batch; `tape_id` is the first of them."""

    tape_id: UUID | None
    tape_count: int
    passed_count: int
    failed_count: int


class TaskRowOut(Out):
    key: str
    title: str
    cells: list[TaskCellOut]
    """In the order of the batches."""


class BatchMatrixOut(Out):
    by: str
    baseline: UUID
    rows: list[MatrixRowOut]
    tasks: list[TaskRowOut]
    task_count: int
    """How many there are; `tasks` may be fewer."""

    keyless_count: int
    """Tapes without a key."""


class StepSignOut(Out):
    kind: str
    family: Literal["thought", "action", "observation", "control"]
    node: str
    gist: str
    is_error: bool


class PathRowOut(Out):
    tape: BatchTapeOut
    batch_name: str
    steps: list[StepSignOut]


class PathColumnOut(Out):
    """Steps of one kind and node; `positions` has an entry for each row."""

    kind: str
    node: str
    is_consensus: bool
    """More than half of the tapes have a step there."""

    positions: list[int | None]


class TaskPathsOut(Out):
    key: str
    rows: list[PathRowOut]
    columns: list[PathColumnOut]
    tape_count: int
    """How many tapes there are; `rows` may be fewer."""

    is_cut: bool
    """Of some tape the first steps are shown only."""
