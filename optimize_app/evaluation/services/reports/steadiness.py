"""How steady a sweep's scores are: tasks or luck, and the best variant on other attempts."""

from dataclasses import dataclass

import numpy as np

from tapes_app.engine.errors import InvalidInputError
from tapes_app.statistics.attempts import Scores, TaskScores
from tapes_app.statistics.many_variants import reestimate_winner
from tapes_app.statistics.score_estimates import ScoreEstimate, majority_of_k
from tapes_app.statistics.sentences import describe_variation, describe_winner
from tapes_app.statistics.variation import flaky_tasks, variance_parts

_LEAST_VARIANTS = 3
"""With two, the comparison shows it already; the best of many is also the luckiest."""


@dataclass(frozen=True, slots=True)
class Steadiness:
    """Whether a variant's score depends on the tasks or on the luck of attempts."""

    between_share: float | None
    """Share of the variance that is between tasks, 0 to 1; `None` if nothing varies."""

    flaky_task_count: int
    """Tasks at which some attempts pass and others fail."""

    majority: ScoreEstimate | None
    """How often most of the attempts at a task pass; `None` with fewer than three."""

    sentence: str


@dataclass(frozen=True, slots=True)
class BestVariant:
    """The best of several variants, measured on attempts that had no part in choosing it."""

    name: str
    chosen_among: int
    when_chosen: ScoreEstimate
    on_others: ScoreEstimate
    """The score to report."""

    sentence: str


def measure_steadiness(scores: TaskScores) -> Steadiness | None:
    """Return how steady a variant is; `None` with one task, or one attempt at each.

    Scores are 0 or 1.
    """
    parts = variance_parts(scores)
    if parts is None:
        return None
    flaky_count = len(flaky_tasks(scores))
    most = int(scores.count.max())
    odd = most if most % 2 else most - 1
    return Steadiness(
        between_share=parts.between_share,
        flaky_task_count=flaky_count,
        majority=majority_of_k(scores, odd) if odd > 1 else None,
        sentence=describe_variation(parts, flaky_count),
    )


def find_best(scores: Scores) -> BestVariant | None:
    """Choose the best variant by the first half of its attempts and measure it on the second.

    `None` with fewer than three variants, with single attempts, or if a half has no scores.
    """
    seeds = np.unique(scores.without_missing().seed)
    if len(seeds) <= 1 or len(scores.variants) < _LEAST_VARIANTS:
        return None
    half = (len(seeds) + 1) // 2
    try:
        winner = reestimate_winner(
            scores.with_seeds(seeds[:half].tolist()), scores.with_seeds(seeds[half:].tolist())
        )
    except InvalidInputError:
        return None
    return BestVariant(
        winner.variant,
        winner.chosen_among,
        winner.when_chosen,
        winner.fresh,
        describe_winner(winner),
    )
