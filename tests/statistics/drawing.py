"""Made values whose truth is known."""

import numpy as np
from numpy.typing import NDArray

from tapes_app.statistics.attempts import Attempt, Scores


def draw_clusters(
    random: np.random.Generator, *, clusters: int, size: int, correlation: float
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return normal values with mean 0 and variance 1, and the cluster of each."""
    numbers = np.repeat(np.arange(clusters), size)
    shared = random.normal(size=clusters) * np.sqrt(correlation)
    own = random.normal(size=clusters * size) * np.sqrt(1 - correlation)
    return shared[numbers] + own, numbers


def make_scores(table: dict[str, dict[str, list[float | None]]]) -> Scores:
    """Return the scores of `{variant: {task: [score of seed 0, of seed 1, …]}}`."""
    return Scores.of(
        Attempt(task, variant, seed, score)
        for variant, tasks in table.items()
        for task, scores in tasks.items()
        for seed, score in enumerate(scores)
    )
