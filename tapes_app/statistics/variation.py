"""Where the variation of scores comes from: differing tasks, or differing attempts at one task."""

from dataclasses import dataclass

import numpy as np

from tapes_app.statistics.attempts import TaskScores
from tapes_app.statistics.estimate import Estimate
from tapes_app.statistics.rates import Tally, success_rate

_LEAST = 2


@dataclass(frozen=True, slots=True)
class VarianceParts:
    """The variance of a score, split: more tasks lower the first part, more seeds the second."""

    between: float
    """Variance of the tasks' true means; at least 0."""

    within: float
    """Variance of attempts at one task."""

    tasks: int
    attempts: int

    @property
    def between_share(self) -> float | None:
        """The intraclass correlation: 1 if seeds do not matter, 0 if tasks do not."""
        total = self.between + self.within
        return self.between / total if total else None

    def standard_error(self, *, tasks: int, attempts_per_task: float) -> float:
        """Return the standard error of a mean over this many tasks and attempts per task."""
        return float(np.sqrt((self.between + self.within / attempts_per_task) / tasks))


def variance_parts(scores: TaskScores) -> VarianceParts | None:
    """Return the components of a one-way random model, by analysis of variance.

    between = (MS between - MS within) / n₀, n₀ = (N - Σ nₜ²/N)/(T - 1), for nₜ attempts at each of
    T tasks, N in total (Searle, Casella and McCulloch 1992, Variance Components, 3.6). `None` with
    one task, or where no task has two scored attempts.
    """
    count = scores.count.astype(np.float64)
    tasks, attempts = len(count), float(count.sum())
    if tasks < _LEAST or attempts <= tasks:
        return None
    grand = float(scores.values.mean())
    among = float((count * np.square(scores.mean - grand)).sum()) / (tasks - 1)
    within = float(scores.squares.sum()) / (attempts - tasks)
    size = (attempts - float(np.square(count).sum()) / attempts) / (tasks - 1)
    return VarianceParts(max(0.0, (among - within) / size), within, tasks, int(attempts))


@dataclass(frozen=True, slots=True)
class FlakyTask:
    """A task that a variant sometimes passes and sometimes fails."""

    task: str
    rate: Estimate
    chance_to_differ: float
    """How likely it is that two attempts at it have different outcomes: 2c(n-c)/(n(n-1))."""


def flaky_tasks(scores: TaskScores) -> list[FlakyTask]:
    """Return the tasks with both passes and failures, the most uncertain first.

    Scores must be 0 or 1; `Scores.as_passes` converts others.
    """
    mixed = np.flatnonzero((scores.mean > 0) & (scores.mean < 1))
    found = []
    for row in mixed:
        count = int(scores.count[row])
        passed = round(float(scores.mean[row]) * count)
        rate = success_rate(Tally(passed, count))
        assert rate is not None
        differ = 2 * passed * (count - passed) / (count * (count - 1)) if count > 1 else 0.0
        found.append(FlakyTask(scores.name_task(int(row)), rate, differ))
    return sorted(found, key=lambda task: (-task.chance_to_differ, task.task))
