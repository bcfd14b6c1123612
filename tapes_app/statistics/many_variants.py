"""Many variants at once: what is left of a difference that was looked for many times.

Among twenty variants that are all alike one is better at p < 0.05, and the best of them looks
better than it is.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from tapes_app.engine.errors import InvalidInputError
from tapes_app.statistics.attempts import Scores
from tapes_app.statistics.comparisons import Comparison, compare
from tapes_app.statistics.estimate import CONFIDENCE
from tapes_app.statistics.score_estimates import ScoreEstimate, mean_score

Adjustment = Literal["holm", "benjamini_hochberg"]


def adjust(p_values: Sequence[float], method: Adjustment = "holm") -> list[float]:
    """Return the p-values as they count when so many were looked at.

    Holm 1979 (Scand. J. Stat. 6:65) keeps the chance of a single false alarm below the level;
    Benjamini and Hochberg 1995 (J. R. Stat. Soc. B 57:289) the share of false ones among those
    that are called significant.
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
    scores: Scores,
    baseline: str,
    *,
    adjustment: Adjustment = "holm",
    confidence: float = CONFIDENCE,
) -> list[Comparison]:
    """Return each other variant beside the baseline, with p-values for so many comparisons.

    Variants that share no task with the baseline are not there. The intervals are those of each
    comparison for itself.

    Raises:
        NotFoundError: no attempt is of the baseline.
    """
    found = [
        comparison
        for name in scores.variants
        if name != baseline
        and (comparison := compare(scores, baseline, name, confidence=confidence))
    ]
    # What could not be tested was looked at all the same.
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
    """The variant that scored best, when it was chosen and in attempts made since."""

    variant: str
    chosen_among: int
    when_chosen: ScoreEstimate
    """Too high on average: it was chosen for being high."""

    fresh: ScoreEstimate
    """What to report: of attempts that had no part in the choice."""

    @property
    def optimism(self) -> float:
        """How much higher it scored when it was chosen."""
        return self.when_chosen.estimate.value - self.fresh.estimate.value


def find_winner(scores: Scores) -> str:
    """Return the variant with the highest mean; of equal ones the first.

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


def reestimate_winner(
    chosen_on: Scores, fresh: Scores, *, confidence: float = CONFIDENCE
) -> Winner:
    """Return the best variant of `chosen_on` as it does in `fresh`: other seeds, or other tasks.

    Fresh seeds on the same tasks take out the luck of attempts; only fresh tasks take out that
    the variant may suit these tasks alone.

    Raises:
        InvalidInputError: nothing is scored, the winner has no score in `fresh`, or both share
            attempts (the same task, variant and seed).
    """
    name = find_winner(chosen_on)
    if _attempts_of(chosen_on, name) & _attempts_of(fresh, name):
        raise InvalidInputError(
            f"Attempts of {name} are in both halves; measure it on seeds it was not chosen by."
        )
    again = (
        mean_score(fresh.of_variant(name), confidence=confidence)
        if name in fresh.variants
        else None
    )
    if again is None:
        raise InvalidInputError(f"{name} has no score on fresh seeds; run it on some first.")
    before = mean_score(chosen_on.of_variant(name), confidence=confidence)
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
