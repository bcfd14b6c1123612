"""What one variant scores: mean, pass@1, pass@k, pass^k and majority vote, each with its interval.

Each task counts once, however many attempts at it are missing, so that missing attempts do not
move the mean from hard tasks to easy ones.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from tapes_app.engine.errors import InvalidInputError
from tapes_app.statistics.attempts import TaskScores
from tapes_app.statistics.clustered_means import FloatArray, clustered_mean
from tapes_app.statistics.estimate import CONFIDENCE, Estimate
from tapes_app.statistics.rates import rate_interval

Method = Literal["wilson", "clopper_pearson", "student"]
Grouping = Literal["cluster", "attempt"]


@dataclass(frozen=True, slots=True)
class ScoreEstimate:
    """A score with its interval, and what it rests on."""

    estimate: Estimate
    """`count` is the number of attempts with a score."""

    method: Method
    tasks: int
    clusters: int
    """What was taken as independent: tasks, unless they were put into clusters."""

    missing: int
    """Attempts without a score; they count as nothing."""

    left_out: int
    """Tasks that say nothing: without a score, or with fewer than are asked for."""


def mean_score(
    scores: TaskScores,
    *,
    method: Method | None = None,
    by: Grouping = "cluster",
    confidence: float = CONFIDENCE,
) -> ScoreEstimate | None:
    """Return the mean over tasks of their means; `None` where nothing is scored.

    Of passes and failures it is pass@1, with Wilson's interval; of other scores the interval is
    Student's with clusters - 1 degrees of freedom. `by="attempt"` takes all attempts as
    independent, which is too narrow where they are not.

    Raises:
        InvalidInputError: an interval of rates is asked for scores between 0 and 1.
    """
    if not len(scores.task):
        return None
    if by == "attempt":
        mean = clustered_mean(scores.values, np.arange(len(scores.values)))
    else:
        mean = clustered_mean(scores.mean, scores.cluster)
    chosen = method or ("wilson" if scores.is_binary else "student")
    if chosen == "student":
        estimate = mean.interval(confidence=confidence, bounds=scores.table.bounds)
    elif scores.is_binary:
        estimate = mean.rate_interval(len(scores.values), confidence=confidence, method=chosen)
    else:
        raise InvalidInputError(
            f"The scores of {scores.variant} are not all 0 or 1; take Student's interval."
        )
    return _describe(scores, estimate, mean.clusters, chosen)


def pass_at_k(
    scores: TaskScores, k: int, *, confidence: float = CONFIDENCE
) -> ScoreEstimate | None:
    """Return how often at least one of k attempts passes: pass@k.

    1 - C(n-c, k)/C(n, k) for a task with c of n attempts passed, which is right on average for
    every n ≥ k (Chen et al. 2021, arXiv 2107.03374, equation 1). Tasks with fewer scored
    attempts are left out and counted. `None` where all are.
    """
    return _mean_of_draws(scores, k, lambda n, c: 1 - _all_of(k, n - c, n), confidence)


def pass_hat_k(
    scores: TaskScores, k: int, *, confidence: float = CONFIDENCE
) -> ScoreEstimate | None:
    """Return how often all of k attempts pass: pass^k, C(c, k)/C(n, k) for a task.

    Yao et al. 2024 (tau-bench, arXiv 2406.12045). Otherwise as `pass_at_k`.
    """
    return _mean_of_draws(scores, k, lambda n, c: _all_of(k, c, n), confidence)


def majority_of_k(
    scores: TaskScores, k: int, *, confidence: float = CONFIDENCE
) -> ScoreEstimate | None:
    """Return how often more than half of k attempts pass; an even split counts half.

    The hypergeometric chance of it for a task with c of n attempts passed. It is what voting
    comes to where wrong answers are all alike; where they differ, voting does better.
    """

    def chance(n: FloatArray, c: FloatArray) -> FloatArray:
        from scipy.stats import hypergeom

        more: FloatArray = hypergeom.sf(k // 2, n, c, k)
        even: FloatArray = hypergeom.pmf(k // 2, n, c, k)
        return more if k % 2 else more + even / 2

    return _mean_of_draws(scores, k, chance, confidence)


def vote(answers: Sequence[tuple[str | None, float | None]]) -> float | None:
    """Return the score of the answer that most attempts at a task gave.

    `answers` holds what each attempt answered and how that was scored; attempts without either
    are missing. Of answers that are equally frequent any may win, so it is the mean over them.
    `None` where nothing was answered.
    """
    given: dict[str, list[float]] = {}
    for answer, score in answers:
        if answer is not None and score is not None:
            given.setdefault(answer, []).append(score)
    if not given:
        return None
    most = max(map(len, given.values()))
    return float(np.mean([np.mean(votes) for votes in given.values() if len(votes) == most]))


def _mean_of_draws(
    scores: TaskScores,
    k: int,
    chance: Callable[[FloatArray, FloatArray], FloatArray],
    confidence: float,
) -> ScoreEstimate | None:
    """Return the mean over tasks of `chance(n, c)`, for c of n scored attempts passed."""
    if k < 1:
        raise InvalidInputError(f"Of {k} attempts nothing is known; ask for one or more.")
    if not scores.is_binary:
        raise InvalidInputError(
            f"The scores of {scores.variant} are not all 0 or 1; say from where on one passes."
        )
    enough = scores.count >= k
    if not enough.any():
        return None
    count = scores.count[enough].astype(np.float64)
    passed = np.rint(scores.mean[enough] * count)
    values = chance(count, passed)
    mean = clustered_mean(values, scores.cluster[enough])
    if not mean.has_spread and mean.value in {0.0, 1.0}:
        # All tasks alike: each cluster counts as one trial.
        low, high = rate_interval(mean.value, mean.clusters, confidence=confidence)
    else:
        interval = mean.interval(confidence=confidence, bounds=(0.0, 1.0))
        low, high = interval.low, interval.high
    estimate = Estimate(mean.value, low, high, int(count.sum()))
    few = int((~enough).sum())
    return _describe(scores, estimate, mean.clusters, "student", few)


def _all_of(k: int, good: FloatArray, total: FloatArray) -> FloatArray:
    """Return the chance that k draws without replacement are all good."""
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
