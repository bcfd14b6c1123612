"""What a handful of outcomes says about a success rate or a score: intervals, never bare means.

Nothing here knows tapes. All functions are pure; formulas are named with their source, so that
a reader may check them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean, stdev

CONFIDENCE = 0.95
_MIDDLE = 0.5


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with the interval that it may well lie in; `count` observations made it."""

    value: float
    low: float
    high: float
    count: int


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


def success_rate(tally: Tally, *, confidence: float = CONFIDENCE) -> Estimate | None:
    """Return a success rate with its Wilson score interval; `None` without a trial.

    (p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n), Wilson 1927, J. Am. Stat. Assoc. 22:209;
    the recommendation of Brown, Cai and DasGupta 2001 for small n. Unlike p ± z √(p(1-p)/n) it
    has a width at 0 of n and n of n, and never leaves [0, 1].
    """
    if not tally.count:
        return None
    n, p, z = tally.count, tally.rate, _z(confidence)
    share = z * z / n
    middle = (p + share / 2) / (1 + share)
    half = z * math.sqrt(p * (1 - p) / n + share / (4 * n)) / (1 + share)
    # Rounding must not push the bounds past what was seen: at 0 of n the low end is 0 exactly.
    return Estimate(p, max(0.0, min(p, middle - half)), min(1.0, max(p, middle + half)), n)


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


def paired_difference(
    pairs: Sequence[tuple[float, float]],
    *,
    confidence: float = CONFIDENCE,
    bounds: tuple[float, float] = (-math.inf, math.inf),
) -> Estimate | None:
    """Return how much higher the second value of each pair is, on average.

    The paired t interval: d̄ ± t(n-1) s_d / √n over the differences. Pairing takes out what
    both sides of a pair share (the same model, temperature and step), so it is narrower than
    comparing two heaps. One pair has a mean and no interval: it may lie anywhere in `bounds`.
    """
    differences = [second - first for first, second in pairs]
    return mean_estimate(differences, confidence=confidence, bounds=bounds)


def mean_estimate(
    values: Sequence[float],
    *,
    confidence: float = CONFIDENCE,
    bounds: tuple[float, float] = (-math.inf, math.inf),
) -> Estimate | None:
    """Return a mean with its Student t interval, x̄ ± t(n-1) s / √n; `None` without a value.

    `bounds` cut the interval to what is possible. One value, or several that are all equal,
    say nothing about their spread: the interval is then `bounds` whole, not a point.
    """
    if not values:
        return None
    mean, count = fmean(values), len(values)
    spread = stdev(values) if count > 1 else 0.0
    if not spread:
        return Estimate(mean, *bounds, count)
    half = t_quantile((1 + confidence) / 2, count - 1) * spread / math.sqrt(count)
    return Estimate(mean, max(bounds[0], mean - half), min(bounds[1], mean + half), count)


def t_quantile(probability: float, degrees: int) -> float:
    """Return the value below which Student's t with `degrees` of freedom lies so often.

    Found by bisection on the distribution function, F(t) = 1 - I(d/(d+t²); d/2, 1/2)/2 for
    t > 0 and d degrees, with I the regularised incomplete beta function (Abramowitz and Stegun,
    26.7.1).
    """
    if not 0 < probability < 1 or degrees < 1:
        raise ValueError(f"no quantile of {probability} with {degrees} degrees of freedom")
    if probability < _MIDDLE:
        return -t_quantile(1 - probability, degrees)
    low, high = 0.0, 1.0
    while _t_cdf(high, degrees) < probability:
        low, high = high, high * 2
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if _t_cdf(middle, degrees) < probability else (low, middle)
    return (low + high) / 2


def _z(confidence: float) -> float:
    return NormalDist().inv_cdf((1 + confidence) / 2)


def _t_cdf(t: float, degrees: int) -> float:
    return 1 - _incomplete_beta(degrees / 2, 0.5, degrees / (degrees + t * t)) / 2


def _incomplete_beta(a: float, b: float, x: float) -> float:
    """Return the regularised incomplete beta function I(x; a, b)."""
    if x in {0.0, 1.0}:
        return x
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    )
    # The fraction converges fast on this side of the mean; the other side is its mirror.
    if x < (a + 1) / (a + b + 2):
        return front * _beta_fraction(a, b, x) / a
    return 1 - front * _beta_fraction(b, a, 1 - x) / b


_TINY = 1e-300
_PRECISION = 1e-15


def _beta_fraction(a: float, b: float, x: float) -> float:
    """Return the continued fraction of the incomplete beta function (DLMF 8.17.22), by Lentz."""
    c, d = 1.0, 1 / _away_from_zero(1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, 300):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        change = 1.0
        for term in (even, odd):
            d = 1 / _away_from_zero(1 + term * d)
            c = _away_from_zero(1 + term / c)
            change = c * d
            value *= change
        if abs(change - 1) < _PRECISION:
            break
    return value


def _away_from_zero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY
