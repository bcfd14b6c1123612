"""A variant's scores: mean, pass@1, pass@k, pass^k, majority, each with its interval.

Each task counts once, however many of its attempts are missing, so that missing attempts do not
shift the mean from hard tasks to easy ones.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from tapes_app.engine.errors import InvalidInputError
from tapes_app.statistics.attempts import TaskScores
from tapes_app.statistics.clustered_means import FloatArray, clustered_mean
from tapes_app.statistics.estimate import Estimate

Method = Literal["wilson", "clopper_pearson", "student"]
Grouping = Literal["cluster", "attempt"]


@dataclass(frozen=True, slots=True)
class ScoreEstimate:
    """A score with its interval, and the data it rests on."""

    estimate: Estimate
    """`count` is the number of attempts with a score."""

    method: Method
    tasks: int
    clusters: int
    """The number of independent units: tasks, unless they are grouped in clusters."""

    missing: int
    """Attempts without a score; they are not counted."""

    left_out: int
    """Tasks that do not contribute: without a score, or with fewer attempts than needed."""


def mean_score(
    scores: TaskScores,
    *,
    method: Method | None = None,
    by: Grouping = "cluster",
) -> ScoreEstimate | None:
    """Return the mean over tasks of their means; `None` if nothing is scored.

    For passes and failures it is pass@1, with Wilson's interval; for other scores the interval is
    Student's with clusters - 1 degrees of freedom. `by="attempt"` treats all attempts as
    independent, which is too narrow if they are not.

    Raises:
        InvalidInputError: an interval for rates is requested for scores between 0 and 1.
    """
    if not len(scores.task):
        return None
    if by == "attempt":
        mean = clustered_mean(scores.values, np.arange(len(scores.values)))
    else:
        mean = clustered_mean(scores.mean, scores.cluster)
    chosen = method or ("wilson" if scores.is_binary else "student")
    if chosen == "student":
        estimate = mean.interval(bounds=scores.table.bounds)
    elif scores.is_binary:
        estimate = mean.rate_interval(len(scores.values), method=chosen)
    else:
        raise InvalidInputError(
            f"The scores of {scores.variant} are not all 0 or 1; use Student's interval."
        )
    return _describe(scores, estimate, mean.clusters, chosen)


def pass_at_k(scores: TaskScores, k: int) -> ScoreEstimate | None:
    """Return how often at least one of k attempts passes: pass@k.

    1 - C(n-c, k)/C(n, k) for a task with c of n attempts passed, which is unbiased for every n ≥ k
    (Chen et al. 2021, arXiv 2107.03374, equation 1). Tasks with fewer than k scored attempts are
    left out and counted. `None` if that leaves none.
    """
    return _mean_of_draws(scores, k, lambda n, c: 1 - _all_of(k, n - c, n))


def pass_hat_k(scores: TaskScores, k: int) -> ScoreEstimate | None:
    """Return how often all of k attempts pass: pass^k, C(c, k)/C(n, k) for a task.

    Yao et al. 2024 (tau-bench, arXiv 2406.12045). Otherwise as `pass_at_k`.
    """
    return _mean_of_draws(scores, k, lambda n, c: _all_of(k, c, n))


def majority_of_k(scores: TaskScores, k: int) -> ScoreEstimate | None:
    """Return how often more than half of k attempts pass; an even split counts half.

    Computed as the hypergeometric probability for a task with c of n attempts passed. It is the
    result of voting if all wrong answers are equal; if they differ, voting does better: `voting`.
    """

    def chance(n: FloatArray, c: FloatArray) -> FloatArray:
        from scipy.stats import hypergeom

        more: FloatArray = hypergeom.sf(k // 2, n, c, k)
        even: FloatArray = hypergeom.pmf(k // 2, n, c, k)
        return more if k % 2 else more + even / 2

    return _mean_of_draws(scores, k, chance)


def _mean_of_draws(
    scores: TaskScores, k: int, chance: Callable[[FloatArray, FloatArray], FloatArray]
) -> ScoreEstimate | None:
    """Return the mean over tasks of `chance(n, c)`, for c of n scored attempts passed."""
    if k < 1:
        raise InvalidInputError(f"Nothing is known about {k} attempts; ask for one or more.")
    if not scores.is_binary:
        raise InvalidInputError(
            f"The scores of {scores.variant} are not all 0 or 1; set the score from which one"
            " passes."
        )
    enough = scores.count >= k
    if not enough.any():
        return None
    count = scores.count[enough].astype(np.float64)
    passed = np.rint(scores.mean[enough] * count)
    values = chance(count, passed)
    mean = clustered_mean(values, scores.cluster[enough])
    estimate = mean.rate_interval(int(count.sum()))
    few = int((~enough).sum())
    return _describe(scores, estimate, mean.clusters, "wilson", few)


def _all_of(k: int, good: FloatArray, total: FloatArray) -> FloatArray:
    """Return the probability that k draws without replacement are all good."""
    chance = np.ones(len(total))
    for i in range(k):
        chance *= np.maximum(good - i, 0) / (total - i)
    return chance


def _describe(
    scores: TaskScores, estimate: Estimate, clusters: int, method: Method, few: int = 0
) -> ScoreEstimate:
    return ScoreEstimate(
        estimate=estimate,
        method=method,
        tasks=len(scores.task) - few,
        clusters=clusters,
        missing=scores.missing,
        left_out=scores.unscored_tasks + few,
    )
