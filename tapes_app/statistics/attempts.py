"""The scores of a sweep as columns, and those of one variant by task."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from tapes_app.engine.errors import InvalidInputError, NotFoundError
from tapes_app.statistics.clustered_means import (
    BoolArray,
    FloatArray,
    IntArray,
    number_names,
    sum_by,
)

PASSES_FROM = 0.5
"""The threshold from which a score between 0 and 1 counts as passed."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One run of a variant on a task."""

    task: str
    variant: str
    seed: int
    score: float | None
    """`None`: missing. It failed, ran out of budget or could not be judged; it is never zero."""

    cluster: str | None = None
    """What the task shares with others, such as a template; `None`: nothing."""


@dataclass(frozen=True, eq=False)
class Scores:
    """All attempts of a sweep, in columns of equal length; NaN is a missing score.

    Columns hold indices into the names: `task[i]` is an index into `tasks`. A sweep of 100,000
    attempts is read in a tenth of a second.
    """

    tasks: tuple[str, ...]
    variants: tuple[str, ...]
    task: IntArray
    variant: IntArray
    seed: IntArray
    score: FloatArray
    cluster: IntArray
    """For each of `tasks`, the number of its cluster."""

    bounds: tuple[float, float] = field(default=(0.0, 1.0))

    @classmethod
    def of(cls, attempts: Iterable[Attempt], *, bounds: tuple[float, float] = (0, 1)) -> "Scores":
        """Build the table from attempts; raises `InvalidInputError` as `from_columns` does."""
        rows = [(a.task, a.variant, a.seed, a.score, a.cluster or a.task) for a in attempts]
        columns = zip(*rows, strict=True) if rows else ([], [], [], [], [])
        tasks, variants, seeds, scores, clusters = columns
        return cls.from_columns(tasks, variants, seeds, scores, clusters=clusters, bounds=bounds)

    @classmethod
    def from_columns(
        cls,
        tasks: Sequence[str],
        variants: Sequence[str],
        seeds: Sequence[int],
        scores: ArrayLike,
        *,
        clusters: Sequence[str] | None = None,
        bounds: tuple[float, float] = (0, 1),
    ) -> "Scores":
        """Make the table from one column each; a task without a cluster forms its own.

        Raises:
            InvalidInputError: columns differ in length, a score lies outside `bounds`, or a task is
                listed in two clusters.
        """
        score = np.asarray(scores, dtype=np.float64)
        columns = (tasks, variants, seeds, score, tasks if clusters is None else clusters)
        if len({len(column) for column in columns}) > 1:
            raise InvalidInputError("Give one task, variant, seed and score per attempt.")
        outside = score[(score < bounds[0]) | (score > bounds[1])]
        if outside.size:
            raise InvalidInputError(
                f"A score of {outside[0]:g} is not between {bounds[0]:g} and {bounds[1]:g};"
                " give the bounds of this metric."
            )
        task_names, task = number_names(tasks)
        variant_names, variant = number_names(variants)
        cluster = _cluster_tasks(task_names, task, clusters)
        seed = np.asarray(seeds, dtype=np.int64)
        for column in (task, variant, seed, score, cluster):
            column.setflags(write=False)
        return cls(task_names, variant_names, task, variant, seed, score, cluster, bounds)

    def of_variant(self, name: str) -> "TaskScores":
        """Return the scores of one variant by task.

        Raises:
            NotFoundError: the variant has no attempts.
        """
        if name not in self.variants:
            raise NotFoundError(f"There is no attempt of {name}; there are {self.variants[:10]}.")
        rows = self.variant == self.variants.index(name)
        return TaskScores(name, self, self.task[rows], self.score[rows])

    def with_seeds(self, seeds: Collection[int]) -> "Scores":
        """Return only the attempts with these seeds."""
        return self._choose(np.isin(self.seed, list(seeds)))

    def with_tasks(self, tasks: Collection[str]) -> "Scores":
        """Return only the attempts at these tasks."""
        wanted = np.fromiter((name in tasks for name in self.tasks), np.bool_, len(self.tasks))
        return self._choose(wanted[self.task])

    def without_missing(self) -> "Scores":
        """Return the attempts that have a score."""
        return self._choose(~np.isnan(self.score))

    def count(self, variant: str) -> int:
        """Return the number of attempts of a variant; 0 if it is unknown."""
        known = variant in self.variants
        return int((self.variant == self.variants.index(variant)).sum()) if known else 0

    def as_passes(self, passes_from: float = PASSES_FROM) -> "Scores":
        """Return 1 where a score reaches `passes_from`, else 0; missing scores stay missing."""
        passed = np.where(np.isnan(self.score), np.nan, self.score >= passes_from)
        return replace(self, score=passed, bounds=(0.0, 1.0))

    def _choose(self, rows: BoolArray) -> "Scores":
        kept = {name: getattr(self, name)[rows] for name in ("task", "variant", "seed", "score")}
        return replace(self, **kept)


@dataclass(frozen=True, eq=False)
class TaskScores:
    """The scores of one variant: each array has one entry per task with a score, in order."""

    variant: str
    table: Scores
    attempted: IntArray
    """For each attempt, the number of its task."""

    scores: FloatArray
    """For each attempt; NaN is missing."""

    @cached_property
    def is_scored(self) -> BoolArray:
        return ~np.isnan(self.scores)

    @cached_property
    def task(self) -> IntArray:
        """The numbers of the tasks that have a score."""
        return np.unique(self.attempted[self.is_scored])

    @cached_property
    def row(self) -> IntArray:
        """For each attempt with a score, the index of its task in `task`."""
        return np.searchsorted(self.task, self.attempted[self.is_scored])

    @cached_property
    def values(self) -> FloatArray:
        """The scores that are not missing."""
        return self.scores[self.is_scored]

    @cached_property
    def count(self) -> IntArray:
        return np.bincount(self.row, minlength=len(self.task)).astype(np.int64)

    @cached_property
    def mean(self) -> FloatArray:
        return sum_by(self.row, self.values, len(self.task)) / self.count

    @cached_property
    def squares(self) -> FloatArray:
        """The sum of squares around the task's mean."""
        away = np.square(self.values - self.mean[self.row])
        return sum_by(self.row, away, len(self.task))

    @cached_property
    def cluster(self) -> IntArray:
        return self.table.cluster[self.task]

    @property
    def missing(self) -> int:
        """The number of attempts without a score."""
        return len(self.scores) - len(self.values)

    @property
    def unscored_tasks(self) -> int:
        """The number of tasks that were attempted but never scored."""
        return len(np.unique(self.attempted)) - len(self.task)

    @property
    def is_binary(self) -> bool:
        return bool(np.isin(self.values, (0.0, 1.0)).all())

    def name_task(self, row: int) -> str:
        return self.table.tasks[int(self.task[row])]


def _cluster_tasks(
    names: tuple[str, ...], task: IntArray, clusters: Sequence[str] | None
) -> IntArray:
    if clusters is None:
        return np.arange(len(names))
    _, numbers = number_names(clusters)
    cluster = np.zeros(len(names), dtype=np.int64)
    cluster[task] = numbers
    split = np.flatnonzero(cluster[task] != numbers)
    if split.size:
        raise InvalidInputError(
            f"The task {names[task[split[0]]]!r} is in two clusters; give each task only one."
        )
    return cluster
