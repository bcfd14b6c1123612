"""What a handful of outcomes says about a success rate: intervals, never bare shares.

Formulas are named with their source, so that a reader may check them.
"""

import math
from dataclasses import dataclass
from typing import Literal

from tapes_app.statistics.estimate import CONFIDENCE, Estimate, normal_quantile

RateMethod = Literal["wilson", "clopper_pearson"]


@dataclass(frozen=True, slots=True)
class Tally:
    """How many of some trials succeeded."""

    successes: int
    count: int

    def __post_init__(self) -> None:
        if not 0 <= self.successes <= self.count:
            raise ValueError(f"{self.successes} of {self.count} cannot have succeeded")

    @property
    def rate(self) -> float:
        return self.successes / self.count


def success_rate(
    tally: Tally, *, confidence: float = CONFIDENCE, method: RateMethod = "wilson"
) -> Estimate | None:
    """Return a success rate with its interval; `None` without a trial.

    Wilson's score interval is what Brown, Cai and DasGupta 2001 recommend for small n. Clopper
    and Pearson's covers at least as often as it says for every rate, and is wider.
    """
    if not tally.count:
        return None
    low, high = rate_interval(tally.rate, tally.count, confidence=confidence, method=method)
    return Estimate(tally.rate, low, high, tally.count)


def rate_interval(
    rate: float,
    count: float,
    *,
    confidence: float = CONFIDENCE,
    method: RateMethod = "wilson",
    quantile: float | None = None,
) -> tuple[float, float]:
    """Return the interval of a rate over `count` trials, which need not be a whole number.

    Wilson: (p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n), Wilson 1927, J. Am. Stat. Assoc.
    22:209. Unlike p ± z √(p(1-p)/n) it has a width at 0 of n and n of n, and never leaves
    [0, 1]. Clopper and Pearson 1934, Biometrika 26:404: quantiles of beta distributions.
    `quantile` takes the place of z, for a standard error that was itself estimated.
    """
    z = normal_quantile(confidence) if quantile is None else quantile
    if method == "clopper_pearson":
        return _clopper_pearson(rate, count, confidence)
    share = z * z / count
    middle = (rate + share / 2) / (1 + share)
    half = z * math.sqrt(rate * (1 - rate) / count + share / (4 * count)) / (1 + share)
    # Rounding must not push the bounds past what was seen: at 0 of n the low end is 0 exactly.
    return max(0.0, min(rate, middle - half)), min(1.0, max(rate, middle + half))


def _clopper_pearson(rate: float, count: float, confidence: float) -> tuple[float, float]:
    from scipy.special import betaincinv

    successes, tail = rate * count, (1 - confidence) / 2
    failures = count - successes
    low = float(betaincinv(successes, failures + 1, tail)) if successes > 0 else 0.0
    high = float(betaincinv(successes + 1, failures, 1 - tail)) if failures > 0 else 1.0
    return low, high


def rate_difference(
    first: Tally, second: Tally, *, confidence: float = CONFIDENCE
) -> Estimate | None:
    """Return how much higher the second of two independent success rates is.

    Newcombe's hybrid score interval (1998, Statistics in Medicine 17:873, method 10): with
    Wilson bounds l, u of each rate, the difference d = p₂ - p₁ lies between
    d - √((p₂-l₂)² + (u₁-p₁)²) and d + √((u₂-p₂)² + (p₁-l₁)²).
    """
    a = success_rate(first, confidence=confidence)
    b = success_rate(second, confidence=confidence)
    if a is None or b is None:
        return None
    difference = b.value - a.value
    low = difference - math.hypot(b.value - b.low, a.high - a.value)
    high = difference + math.hypot(b.high - b.value, a.value - a.low)
    return Estimate(difference, max(-1.0, low), min(1.0, high), a.count + b.count)


def chance_better(first: Tally, second: Tally) -> float:
    """Return how probable it is that the second of two success rates is the higher, 0 to 1.

    Both rates are unknown and every value was equally likely before the trials, so each is
    Beta(1 + successes, 1 + failures) after them. For whole numbers the probability is a sum,
    Σ B(a₁+i, b₁+b₂) / ((b₂+i) B(1+i, b₂) B(a₁, b₁)) for i from 0 to a₂-1 (Miller 2014,
    "Formulas for Bayesian A/B testing", equation 6; Cook 2005, "Exact calculation of beta
    inequalities", UTMDABTR-005-05). Without a trial on either side it is 0.5.
    """
    import numpy as np
    from scipy.special import betaln

    a1, b1 = 1 + first.successes, 1 + first.count - first.successes
    a2, b2 = 1 + second.successes, 1 + second.count - second.successes
    i = np.arange(a2)
    terms = betaln(a1 + i, b1 + b2) - np.log(b2 + i) - betaln(1 + i, b2) - betaln(a1, b1)
    return min(1.0, float(np.exp(terms).sum()))
