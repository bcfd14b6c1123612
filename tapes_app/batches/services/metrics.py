"""Metrics of the tapes of a batch: totals, means with intervals, paired differences."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args
from uuid import UUID

from tapes_app.batches.domain.pair_key import read_pair_key
from tapes_app.batches.services.pairs import BatchSide, load_sides
from tapes_app.batches.store.batch_tapes import BatchTape
from tapes_app.projects.domain.rows import row_of
from tapes_app.projects.services.people import Person
from tapes_app.statistics.estimate import Estimate
from tapes_app.statistics.means import mean_estimate, paired_difference
from tapes_app.statistics.rates import Tally, success_rate

Metric = Literal["score", "steps", "errors", "tokens", "cost", "duration"]
"""Cost is in US dollars, duration in seconds of LLM calls."""

METRICS: tuple[Metric, ...] = get_args(Metric)
_MICRO = 1_000_000


@dataclass(frozen=True)
class MetricInterval:
    """A value with its 95 % interval; without bounds if its spread is unknown."""

    value: float
    low: float | None
    high: float | None
    count: int


@dataclass(frozen=True)
class MetricDifference:
    """A metric over pairs: both means, and how much higher the right one is on average."""

    metric: Metric
    left: float
    right: float
    difference: MetricInterval


@dataclass(frozen=True)
class MetricMean:
    metric: Metric
    mean: MetricInterval


@dataclass(frozen=True)
class BatchTotals:
    """One batch of a comparison."""

    id: UUID
    name: str
    is_search: bool
    """Whether it is a saved search."""

    tape_count: int
    """How many tapes were read."""

    is_cut: bool
    """Whether there are more tapes."""

    passed_count: int
    failed_count: int
    pass_rate: Estimate | None
    means: list[MetricMean]


def load_totals(person: Person, side_id: UUID) -> BatchTotals:
    """Return the totals of a batch or a saved search: pass rate and means with intervals.

    Raises:
        NotFoundError: the project has neither with this id.
        InvalidInputError: the saved search cannot be parsed.
    """
    [side] = load_sides(person, [side_id], read_pair_key("task"))
    return total_of(side)


def total_of(side: BatchSide) -> BatchTotals:
    passed = sum(tape.outcome == "pass" for tape in side.tapes)
    failed = sum(tape.outcome == "fail" for tape in side.tapes)
    means = [(metric, _mean(side.tapes, metric)) for metric in METRICS]
    return row_of(
        BatchTotals,
        side,
        tape_count=len(side.tapes),
        passed_count=passed,
        failed_count=failed,
        pass_rate=success_rate(Tally(passed, passed + failed)),
        means=[MetricMean(metric, mean) for metric, mean in means if mean is not None],
    )


def compare_metrics(pairs: Sequence[tuple[BatchTape, BatchTape]]) -> list[MetricDifference]:
    """Return how much each metric changes, over pairs that have it on both sides."""
    found = (_compare(pairs, metric) for metric in METRICS)
    return [difference for difference in found if difference is not None]


def _compare(
    pairs: Sequence[tuple[BatchTape, BatchTape]], metric: Metric
) -> MetricDifference | None:
    measure = _MEASURES[metric]
    values = [
        (one, two)
        for left, right in pairs
        if (one := measure(left)) is not None and (two := measure(right)) is not None
    ]
    difference = _shown(paired_difference(values))
    if difference is None:
        return None
    left, right = (math.fsum(side) / len(values) for side in zip(*values, strict=True))
    return MetricDifference(metric, left, right, difference)


def _mean(tapes: Sequence[BatchTape], metric: Metric) -> MetricInterval | None:
    measured = (_MEASURES[metric](tape) for tape in tapes)
    return _shown(mean_estimate([value for value in measured if value is not None]))


def _shown(estimate: Estimate | None) -> MetricInterval | None:
    if estimate is None:
        return None
    low, high = (end if math.isfinite(end) else None for end in (estimate.low, estimate.high))
    return MetricInterval(estimate.value, low, high, estimate.count)


_MEASURES: dict[Metric, Callable[[BatchTape], float | None]] = {
    "score": lambda tape: tape.score,
    "steps": lambda tape: float(tape.step_count),
    "errors": lambda tape: float(tape.error_count),
    # What a tape took is unknown if it was imported without its LLM calls.
    "tokens": lambda tape: float(tape.tokens) or None,
    "cost": lambda tape: (
        tape.cost_micro_usd / _MICRO if tape.tokens and not tape.unpriced_call_count else None
    ),
    "duration": lambda tape: tape.duration_seconds or None,
}
