"""How much better one variant is than another on the same tasks, and how sure that is."""

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
from tapes_app.statistics.paired_rates import (
    PairedTally,
    mcnemar_p_value,
    paired_rate_difference,
)

Test = Literal["mcnemar", "paired_t"]
"""McNemar's exact test over tasks that each side passed or failed once; else Student's."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The second variant beside the first, over the tasks that both have a score for."""

    first: str
    second: str
    first_mean: float
    second_mean: float
    difference: Estimate
    """Second less first; `count` is the number of tasks."""

    p_value: float | None
    """How likely so large a difference is without a true one; `None` where tasks do not differ."""

    test: Test
    clusters: int
    unpaired_tasks: int
    """Tasks that only one of the two has a score for; they are not compared."""

    missing: int
    """Attempts of either without a score."""

    most_attempts: int
    """Scored attempts of one variant at one task."""

    bounds: tuple[float, float]
    """Of the scores."""

    confidence: float
    """Of the interval."""

    adjusted_p_value: float | None = None
    """As it counts among `compared` comparisons."""

    compared: int = 1

    @property
    def is_significant(self) -> bool:
        """Whether the adjusted p-value is at most 0.05."""
        return self.adjusted_p_value is not None and self.adjusted_p_value <= 1 - CONFIDENCE


@dataclass(frozen=True, eq=False)
class PairedTasks:
    """The tasks that both variants have a score for: the rows of each, and their differences."""

    first: TaskScores
    second: TaskScores
    first_rows: IntArray
    second_rows: IntArray

    @property
    def differences(self) -> FloatArray:
        """Second less first, each task's mean."""
        return self.second.mean[self.second_rows] - self.first.mean[self.first_rows]

    @property
    def cluster(self) -> IntArray:
        return self.first.cluster[self.first_rows]


def pair_tasks(scores: Scores, first: str, second: str) -> PairedTasks:
    """Raises `NotFoundError` where no attempt is of one of the variants."""
    one, other = scores.of_variant(first), scores.of_variant(second)
    _, one_rows, other_rows = np.intersect1d(
        one.task, other.task, assume_unique=True, return_indices=True
    )
    return PairedTasks(one, other, one_rows, other_rows)


def compare(
    scores: Scores, first: str, second: str, *, confidence: float = CONFIDENCE
) -> Comparison | None:
    """Return how much higher the second variant scores; `None` where they share no task.

    Pairing by task takes out how hard the tasks are, and clusters are taken as independent, not
    tasks in them (Miller 2024, arXiv 2411.00640, section 4). Passes and failures of one attempt
    each, on tasks in no clusters, have McNemar's exact test and Newcombe's interval; all else
    has Student's with clusters - 1 degrees of freedom.

    Raises:
        NotFoundError: no attempt is of one of the variants.
    """
    pairs = pair_tasks(scores, first, second)
    if not len(pairs.first_rows):
        return None
    mean = clustered_mean(pairs.differences, pairs.cluster)
    test: Test = "mcnemar" if _is_table_of_pairs(pairs, mean.clusters) else "paired_t"
    estimate, p_value = _test(pairs, mean, test, confidence)
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
        confidence=confidence,
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


def _test(
    pairs: PairedTasks, mean: ClusteredMean, test: Test, confidence: float
) -> tuple[Estimate, float | None]:
    low, high = pairs.first.table.bounds
    widest = (low - high, high - low)
    if test == "mcnemar":
        tally = tally_pairs(pairs)
        estimate = paired_rate_difference(tally, confidence=confidence)
        assert estimate is not None
        return estimate, mcnemar_p_value(tally)
    if mean.has_spread or not _is_binary(pairs) or mean.value not in _ALIKE:
        return mean.interval(confidence=confidence, bounds=widest), mean.p_value()
    # All tasks came out alike, in each attempt: each cluster counts as one pair.
    alike = PairedTally(*(mean.clusters * cell for cell in _ALIKE[mean.value]))
    estimate = paired_rate_difference(alike, confidence=confidence)
    assert estimate is not None
    return Estimate(mean.value, estimate.low, estimate.high, mean.values), mcnemar_p_value(alike)


_ALIKE = {0.0: (1, 0, 0, 0), -1.0: (0, 1, 0, 0), 1.0: (0, 0, 1, 0)}
"""The one cell of a table of pairs, where all have the same difference."""


def tally_pairs(pairs: PairedTasks) -> PairedTally:
    """Return the table of McNemar's test, for tasks with one passed or failed attempt each."""
    one = pairs.first.mean[pairs.first_rows] > 0
    other = pairs.second.mean[pairs.second_rows] > 0
    return PairedTally(
        both=int((one & other).sum()),
        only_first=int((one & ~other).sum()),
        only_second=int((~one & other).sum()),
        neither=int((~one & ~other).sum()),
    )
