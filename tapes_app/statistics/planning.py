"""What a sweep can find before it runs, and what it takes to distinguish two variants."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tapes_app.statistics.attempts import Scores
from tapes_app.statistics.comparisons import pair_tasks
from tapes_app.statistics.estimate import CONFIDENCE, t_quantile

POWER = 0.8
"""How often a true difference should be found."""

_LEAST_TASKS = 2
_MOST = 10_000_000
_NEVER = 1e-9


@dataclass(frozen=True, slots=True)
class Spread:
    """How the difference of two variants varies: between tasks, and between attempts at one.

    With K attempts per variant, a task's difference has the variance between + within / K (Miller
    2024, arXiv 2411.00640, section 5: ω² and σ²_A + σ²_B).
    """

    between: float
    within: float

    def of_task(self, attempts_per_task: int) -> float:
        """Return the standard deviation of a task's difference."""
        return math.sqrt(self.between + self.within / attempts_per_task)


def guess_spread(
    pass_rate: float, *, correlation: float = 0.5, attempts_share: float = 0.5
) -> Spread:
    """Return a spread for planning before anything has run, for variants with a given pass rate.

    One attempt of each at the same task differs by 2p(1-p)(1-r), where r is the `correlation`,
    since both find the same tasks hard; `attempts_share` of that is luck that more attempts even
    out. Both are guesses: measure the spread as soon as something has run.
    """
    variance = 2 * pass_rate * (1 - pass_rate) * (1 - correlation)
    return Spread(between=variance * (1 - attempts_share), within=variance * attempts_share)


def measure_spread(scores: Scores, first: str, second: str) -> Spread | None:
    """Return the spread of two variants that have run; `None` if no task has two attempts.

    `within` is the mean over tasks of the sample variances, added for both variants; `between` is
    what remains of the variance of the tasks' differences.

    Raises:
        NotFoundError: one of the variants has no attempts.
    """
    pairs = pair_tasks(scores, first, second)
    if len(pairs.first_rows) < _LEAST_TASKS:
        return None
    within, explained = 0.0, 0.0
    for side, rows in ((pairs.first, pairs.first_rows), (pairs.second, pairs.second_rows)):
        count, squares = side.count[rows], side.squares[rows]
        if (count - 1).sum() < 1:
            return None
        # Pooled, so that a task with one attempt borrows the others' variance.
        variance = float(squares.sum()) / float((count - 1).sum())
        within += variance
        explained += variance * float(np.mean(1 / count))
    seen = float(np.var(pairs.differences, ddof=1))
    return Spread(max(0.0, seen - explained), within)


def power_to_find(
    difference: float,
    spread: Spread,
    *,
    tasks: int,
    attempts_per_task: int = 1,
    confidence: float = CONFIDENCE,
) -> float:
    """Return how often a true difference of this size is found, 0 to 1, by the paired t-test."""
    from scipy.special import nctdtr

    deviation = spread.of_task(attempts_per_task)
    if tasks < _LEAST_TASKS:
        return 0.0
    if not deviation:
        return 1.0 if difference else 1 - confidence
    degrees, shift = tasks - 1, abs(difference) / deviation * math.sqrt(tasks)
    limit = t_quantile((1 + confidence) / 2, degrees)
    missed, wrong_way = nctdtr(degrees, shift, limit), nctdtr(degrees, shift, -limit)
    # scipy cannot compute some tails below 1e-13, with a shift above 7; they count as 0.
    return float(1 - np.nan_to_num(missed) + np.nan_to_num(wrong_way))


def smallest_difference(
    spread: Spread,
    *,
    tasks: int,
    attempts_per_task: int = 1,
    confidence: float = CONFIDENCE,
) -> float | None:
    """Return the smallest true difference found often enough; `None` with a single task."""
    from scipy.optimize import brentq

    if tasks < _LEAST_TASKS:
        return None
    deviation = spread.of_task(attempts_per_task)

    def missing(difference: float) -> float:
        found = power_to_find(
            difference,
            spread,
            tasks=tasks,
            attempts_per_task=attempts_per_task,
            confidence=confidence,
        )
        return found - POWER

    if not deviation:
        return 0.0
    high = deviation
    while missing(high) < 0:
        high *= 2
    return float(brentq(missing, 0.0, high, xtol=1e-9))


def tasks_needed(
    difference: float, spread: Spread, *, attempts_per_task: int = 1, power: float = POWER
) -> int | None:
    """Return how many tasks it takes to find a true difference; `None` for a difference of 0."""

    def is_enough(tasks: int) -> bool:
        found = power_to_find(difference, spread, tasks=tasks, attempts_per_task=attempts_per_task)
        return found >= power

    return _first_number(is_enough) if abs(difference) > _NEVER else None


def attempts_needed(difference: float, spread: Spread, *, tasks: int) -> int | None:
    """Return how many attempts per variant and task it takes to find a true difference.

    `None` if no number suffices, because the tasks differ from each other too much for so few of
    them: then more tasks are needed.
    """

    def is_enough(attempts: int) -> bool:
        return power_to_find(difference, spread, tasks=tasks, attempts_per_task=attempts) >= POWER

    return _first_number(is_enough) if abs(difference) > _NEVER else None


@dataclass(frozen=True, slots=True)
class SeparationPlan:
    """What it would take to find a difference as large as the observed one 4 times out of 5."""

    difference: float
    tasks: int
    """How many tasks were compared."""

    attempts_per_task: int | None
    """On these tasks; `None`: no number of attempts is enough."""

    tasks_as_now: int | None
    """With as many attempts at each as now."""

    attempts_now: int
    smallest_now: float | None
    """The smallest difference that the current sweep finds that often."""


def plan_separation(scores: Scores, first: str, second: str) -> SeparationPlan | None:
    """Return how many more runs would distinguish two variants, if the observed difference is real.

    The observed difference is itself uncertain, so this is a plan and not a finding. `None` if no
    task has two attempts of each variant, because then the effects of attempts and tasks cannot be
    separated.

    Raises:
        NotFoundError: one of the variants has no attempts.
    """
    spread = measure_spread(scores, first, second)
    if spread is None:
        return None
    pairs = pair_tasks(scores, first, second)
    seen, tasks = float(pairs.differences.mean()), len(pairs.first_rows)
    now = int(min(np.median(pairs.first.count), np.median(pairs.second.count)))
    return SeparationPlan(
        difference=seen,
        tasks=tasks,
        attempts_per_task=attempts_needed(seen, spread, tasks=tasks),
        tasks_as_now=tasks_needed(seen, spread, attempts_per_task=now),
        attempts_now=now,
        smallest_now=smallest_difference(spread, tasks=tasks, attempts_per_task=now),
    )


def _first_number(is_enough: Callable[[int], bool]) -> int | None:
    """Return the smallest number from 1 that is enough, if every larger one is too."""
    high = 1
    while not is_enough(high):
        high *= 2
        if high > _MOST:
            return None
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return high
