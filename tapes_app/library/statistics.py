"""What a handful of outcomes says about a success rate or a score: intervals, never bare means.

Nothing here knows tapes. All functions are pure; formulas are named with their source, so that
a reader may check them.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
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


@dataclass(frozen=True, slots=True)
class PairedTally:
    """How often both, only one, or neither of two paired trials succeeded."""

    both: int
    only_first: int
    only_second: int
    neither: int

    def __post_init__(self) -> None:
        if min(self.both, self.only_first, self.only_second, self.neither) < 0:
            raise ValueError("no cell of a table of pairs is negative")

    @property
    def count(self) -> int:
        return self.both + self.only_first + self.only_second + self.neither

    @property
    def first(self) -> Tally:
        return Tally(self.both + self.only_first, self.count)

    @property
    def second(self) -> Tally:
        return Tally(self.both + self.only_second, self.count)


def mcnemar_p_value(pairs: PairedTally) -> float:
    """Return how likely so lopsided a change is when the two sides do not differ.

    McNemar's exact conditional test, two-sided: of the n pairs that changed, as many as min(b, c)
    or fewer in one direction under Binomial(n, 1/2), doubled and at most 1 (McNemar 1947,
    Psychometrika 12:153; Fagerland, Lydersen and Laake 2013, BMC Med. Res. Methodol. 13:91).
    """
    changed = pairs.only_first + pairs.only_second
    rarer = min(pairs.only_first, pairs.only_second)
    # Whole numbers: no term underflows, however many pairs there are.
    term, total = 1, 1
    for k in range(1, rarer + 1):
        term = term * (changed - k + 1) // k
        total += term
    return min(1.0, float(Fraction(2 * total, 2**changed)))


def paired_rate_difference(
    pairs: PairedTally, *, confidence: float = CONFIDENCE
) -> Estimate | None:
    """Return how much higher the second of two paired success rates is; `None` without a pair.

    Newcombe's square-and-add interval (1998, Statistics in Medicine 17:2635, method 10): as
    `rate_difference`, with 2φ times the product of the two legs taken off under the root, φ the
    correlation of the pairs with a continuity correction where it is positive.
    """
    first = success_rate(pairs.first, confidence=confidence)
    second = success_rate(pairs.second, confidence=confidence)
    if first is None or second is None:
        return None
    phi = _paired_correlation(pairs)
    difference = second.value - first.value

    def leg(one: float, other: float) -> float:
        return math.sqrt(max(0.0, one * one - 2 * phi * one * other + other * other))

    low = difference - leg(second.value - second.low, first.high - first.value)
    high = difference + leg(second.high - second.value, first.value - first.low)
    return Estimate(difference, max(-1.0, low), min(1.0, high), pairs.count)


def _paired_correlation(pairs: PairedTally) -> float:
    first, second, count = pairs.first.successes, pairs.second.successes, pairs.count
    margins = first * (count - first) * second * (count - second)
    if not margins:
        return 0.0
    excess = float(pairs.both * pairs.neither - pairs.only_first * pairs.only_second)
    if excess > 0:
        excess = max(excess - count / 2, 0.0)
    return excess / math.sqrt(margins)


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
