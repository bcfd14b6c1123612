"""Many variants at once: what remains of a difference that was tested for many times.

Among twenty identical variants, one is better at p < 0.05, and the best of them looks better than
it is.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from tapes_app.engine.errors import InvalidInputError
from tapes_app.statistics.attempts import Scores
from tapes_app.statistics.comparisons import Comparison, compare
from tapes_app.statistics.score_estimates import ScoreEstimate, mean_score

Adjustment = Literal["holm", "benjamini_hochberg"]


def adjust(p_values: Sequence[float], method: Adjustment = "holm") -> list[float]:
    """Return the p-values adjusted for their number.

    Holm 1979 (Scand. J. Stat. 6:65) keeps the probability of a single false alarm below the level;
    Benjamini and Hochberg 1995 (J. R. Stat. Soc. B 57:289) the share of false ones among those
    called significant.
    """
    if not p_values:
        return []
    raw = np.asarray(p_values, dtype=np.float64)
    if method == "benjamini_hochberg":
        # statsmodels has both, but collects garbage in each call, which takes a tenth of a second.
        from scipy.stats import false_discovery_control

        return [float(p) for p in false_discovery_control(raw)]
    order = np.argsort(raw)
    adjusted = np.empty(len(raw))
    adjusted[order] = np.maximum.accumulate(raw[order] * np.arange(len(raw), 0, -1))
    return [float(p) for p in np.minimum(adjusted, 1.0)]


def compare_with_baseline(
    scores: Scores, baseline: str, *, adjustment: Adjustment = "holm"
) -> list[Comparison]:
    """Return each other variant compared with the baseline, with adjusted p-values.

    Variants that share no task with the baseline are omitted. The intervals are not adjusted: each
    is for its own comparison alone.

    Raises:
        NotFoundError: the baseline has no attempts.
    """
    found = [
        comparison
        for name in scores.variants
        if name != baseline and (comparison := compare(scores, baseline, name))
    ]
    # A comparison that could not be tested was still made, so it counts.
    known = [1.0 if each.p_value is None else each.p_value for each in found]
    return [
        replace(
            comparison,
            adjusted_p_value=None if comparison.p_value is None else adjusted,
            compared=len(found),
        )
        for comparison, adjusted in zip(found, adjust(known, adjustment), strict=True)
    ]


@dataclass(frozen=True, slots=True)
class Winner:
    """The variant that scored best, with its score when chosen and its score in later attempts."""

    variant: str
    chosen_among: int
    when_chosen: ScoreEstimate
    """Too high on average: it was chosen for being high."""

    fresh: ScoreEstimate
    """The one to report: from attempts that had no part in the choice."""

    @property
    def optimism(self) -> float:
        """How much higher it scored when it was chosen."""
        return self.when_chosen.estimate.value - self.fresh.estimate.value


def find_winner(scores: Scores) -> str:
    """Return the variant with the highest mean, or the first of equal ones.

    Raises:
        InvalidInputError: nothing is scored.
    """
    means = {
        name: found.estimate.value
        for name in scores.variants
        if (found := mean_score(scores.of_variant(name))) is not None
    }
    if not means:
        raise InvalidInputError("No attempt has a score yet, so there is no best variant.")
    return max(means, key=lambda name: means[name])


def reestimate_winner(chosen_on: Scores, fresh: Scores) -> Winner:
    """Return the best variant of `chosen_on` with its scores in `fresh`: other seeds or tasks.

    Fresh seeds on the same tasks remove the luck of attempts; only fresh tasks reveal that the
    variant may suit only the original tasks.

    Raises:
        InvalidInputError: nothing is scored, the winner has no score in `fresh`, or both share
            attempts (the same task, variant and seed).
    """
    name = find_winner(chosen_on)
    if _attempts_of(chosen_on, name) & _attempts_of(fresh, name):
        raise InvalidInputError(
            f"Attempts of {name} are in both halves; measure it on seeds that it was not chosen on."
        )
    again = mean_score(fresh.of_variant(name)) if name in fresh.variants else None
    if again is None:
        raise InvalidInputError(f"{name} has no score on fresh seeds; run it on some first.")
    before = mean_score(chosen_on.of_variant(name))
    assert before is not None
    return Winner(name, len(chosen_on.variants), before, again)


def _attempts_of(scores: Scores, variant: str) -> set[tuple[str, int]]:
    if variant not in scores.variants:
        return set()
    rows = scores.variant == scores.variants.index(variant)
    return {
        (scores.tasks[task], int(seed))
        for task, seed in zip(scores.task[rows], scores.seed[rows], strict=True)
    }
