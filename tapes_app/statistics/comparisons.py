"""How much better one variant is than another on the same tasks, and how certain that is."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from tapes_app.statistics.attempts import Scores, TaskScores
from tapes_app.statistics.clustered_means import (
    ClusteredMean,
    FloatArray,
    IntArray,
    clustered_mean,
)
from tapes_app.statistics.estimate import CONFIDENCE, Estimate
from tapes_app.statistics.rates import (
    PairedTally,
    mcnemar_p_value,
    paired_rate_difference,
)

Test = Literal["mcnemar", "paired_t"]
"""McNemar's exact test over tasks that each side passed or failed once; else Student's."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The second variant compared with the first, over the tasks that both have a score for."""

    first: str
    second: str
    first_mean: float
    second_mean: float
    difference: Estimate
    """Second minus first; `count` is the number of tasks."""

    p_value: float | None
    """How likely a difference this large is without a true one; `None` if tasks do not differ."""

    test: Test
    clusters: int
    unpaired_tasks: int
    """Tasks that only one of the two has a score for; they are not compared."""

    missing: int
    """Attempts of either variant without a score."""

    most_attempts: int
    """The largest number of scored attempts of one variant at one task."""

    bounds: tuple[float, float]
    """The bounds of the scores."""

    adjusted_p_value: float | None = None
    """Adjusted for `compared` comparisons."""

    compared: int = 1

    @property
    def is_significant(self) -> bool:
        """Whether the adjusted p-value is at most 0.05."""
        return self.adjusted_p_value is not None and self.adjusted_p_value <= 1 - CONFIDENCE


@dataclass(frozen=True, eq=False)
class PairedTasks:
    """The tasks that both variants have a score for: each variant's rows, and the differences."""

    first: TaskScores
    second: TaskScores
    first_rows: IntArray
    second_rows: IntArray

    @property
    def differences(self) -> FloatArray:
        """Second minus first, by each task's mean."""
        return self.second.mean[self.second_rows] - self.first.mean[self.first_rows]

    @property
    def cluster(self) -> IntArray:
        return self.first.cluster[self.first_rows]


def pair_tasks(scores: Scores, first: str, second: str) -> PairedTasks:
    """Pair two variants by task; raises `NotFoundError` if one of them has no attempts."""
    one, other = scores.of_variant(first), scores.of_variant(second)
    _, one_rows, other_rows = np.intersect1d(
        one.task, other.task, assume_unique=True, return_indices=True
    )
    return PairedTasks(one, other, one_rows, other_rows)


def compare(scores: Scores, first: str, second: str) -> Comparison | None:
    """Return how much higher the second variant scores; `None` if they share no task.

    Pairing by task removes the effect of task difficulty, and clusters, not the tasks in them, are
    treated as independent (Miller 2024, arXiv 2411.00640, section 4). For passes and failures of
    one attempt each, on tasks without clusters, it uses McNemar's exact test and Newcombe's
    interval; otherwise Student's with clusters - 1 degrees of freedom.

    Raises:
        NotFoundError: one of the variants has no attempts.
    """
    pairs = pair_tasks(scores, first, second)
    if not len(pairs.first_rows):
        return None
    mean = clustered_mean(pairs.differences, pairs.cluster)
    test: Test = "mcnemar" if _is_table_of_pairs(pairs, mean.clusters) else "paired_t"
    estimate, p_value = _test(pairs, mean, test)
    return Comparison(
        first=first,
        second=second,
        first_mean=float(pairs.first.mean[pairs.first_rows].mean()),
        second_mean=float(pairs.second.mean[pairs.second_rows].mean()),
        difference=estimate,
        p_value=p_value,
        test=test,
        clusters=mean.clusters,
        unpaired_tasks=len(pairs.first.task) + len(pairs.second.task) - 2 * len(pairs.first_rows),
        missing=pairs.first.missing + pairs.second.missing,
        most_attempts=_count_most(pairs),
        bounds=scores.bounds,
        adjusted_p_value=p_value,
    )


def _is_table_of_pairs(pairs: PairedTasks, clusters: int) -> bool:
    is_once = _count_most(pairs) == 1
    return is_once and clusters == len(pairs.first_rows) and _is_binary(pairs)


def _count_most(pairs: PairedTasks) -> int:
    first, second = pairs.first.count[pairs.first_rows], pairs.second.count[pairs.second_rows]
    return int(max(first.max(), second.max()))


def _is_binary(pairs: PairedTasks) -> bool:
    return pairs.first.is_binary and pairs.second.is_binary


def _test(pairs: PairedTasks, mean: ClusteredMean, test: Test) -> tuple[Estimate, float | None]:
    low, high = pairs.first.table.bounds
    widest = (low - high, high - low)
    if test == "mcnemar":
        tally = tally_pairs(pairs)
        estimate = paired_rate_difference(tally)
        assert estimate is not None
        return estimate, mcnemar_p_value(tally)
    if mean.has_spread or not _is_binary(pairs) or mean.value not in _ALIKE:
        return mean.interval(bounds=widest), mean.p_value()
    # All tasks had the same outcome in every attempt: each cluster counts as one pair.
    alike = PairedTally(*(mean.clusters * cell for cell in _ALIKE[mean.value]))
    estimate = paired_rate_difference(alike)
    assert estimate is not None
    return Estimate(mean.value, estimate.low, estimate.high, mean.values), mcnemar_p_value(alike)


_ALIKE = {0.0: (1, 0, 0, 0), -1.0: (0, 1, 0, 0), 1.0: (0, 0, 1, 0)}
"""The one nonzero cell of a table of pairs that all have the same difference."""


def tally_pairs(pairs: PairedTasks) -> PairedTally:
    """Return the table for McNemar's test, for tasks with one passed or failed attempt each."""
    one = pairs.first.mean[pairs.first_rows] > 0
    other = pairs.second.mean[pairs.second_rows] > 0
    return PairedTally(
        both=int((one & other).sum()),
        only_first=int((one & ~other).sum()),
        only_second=int((~one & other).sum()),
        neither=int((~one & ~other).sum()),
    )
