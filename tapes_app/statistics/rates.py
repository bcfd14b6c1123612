"""What a handful of outcomes shows about a success rate, or two: intervals, never bare shares.

Formulas are cited with their source, so that a reader can check them.
"""

import math
from dataclasses import dataclass
from typing import Literal

from tapes_app.statistics.estimate import CONFIDENCE, NORMAL_QUANTILE, Estimate

RateMethod = Literal["wilson", "clopper_pearson"]


@dataclass(frozen=True, slots=True)
class Tally:
    """How many of a number of trials succeeded."""

    successes: int
    count: int

    def __post_init__(self) -> None:
        if not 0 <= self.successes <= self.count:
            raise ValueError(f"{self.successes} of {self.count} cannot have succeeded")

    @property
    def rate(self) -> float:
        return self.successes / self.count


def success_rate(tally: Tally, *, method: RateMethod = "wilson") -> Estimate | None:
    """Return a success rate with its interval; `None` without a trial.

    Wilson's score interval is what Brown, Cai and DasGupta 2001 recommend for small n. Clopper and
    Pearson's covers at least as often as stated for every rate, and is wider.
    """
    if not tally.count:
        return None
    low, high = rate_interval(tally.rate, tally.count, method=method)
    return Estimate(tally.rate, low, high, tally.count)


def rate_interval(
    rate: float,
    count: float,
    *,
    method: RateMethod = "wilson",
    quantile: float = NORMAL_QUANTILE,
) -> tuple[float, float]:
    """Return the interval of a rate over `count` trials, which need not be an integer.

    Wilson: (p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n), Wilson 1927, J. Am. Stat. Assoc.
    22:209. Unlike p ± z √(p(1-p)/n) it has a width at 0 of n and n of n, and never leaves
    [0, 1]. Clopper and Pearson 1934, Biometrika 26:404: quantiles of beta distributions.
    `quantile` replaces z, for a standard error that was itself estimated.
    """
    if method == "clopper_pearson":
        return _clopper_pearson(rate, count)
    share = quantile * quantile / count
    middle = (rate + share / 2) / (1 + share)
    half = quantile * math.sqrt(rate * (1 - rate) / count + share / (4 * count)) / (1 + share)
    # Rounding must not push the bounds past the observed rate: at 0 of n the low end is exactly 0.
    return max(0.0, min(rate, middle - half)), min(1.0, max(rate, middle + half))


def _clopper_pearson(rate: float, count: float) -> tuple[float, float]:
    from scipy.special import betaincinv

    successes, tail = rate * count, (1 - CONFIDENCE) / 2
    failures = count - successes
    low = float(betaincinv(successes, failures + 1, tail)) if successes > 0 else 0.0
    high = float(betaincinv(successes + 1, failures, 1 - tail)) if failures > 0 else 1.0
    return low, high


def rate_difference(first: Tally, second: Tally) -> Estimate | None:
    """Return how much higher the second of two independent success rates is.

    Newcombe's hybrid score interval (1998, Statistics in Medicine 17:873, method 10): with
    Wilson bounds l, u of each rate, the difference d = p₂ - p₁ lies between
    d - √((p₂-l₂)² + (u₁-p₁)²) and d + √((u₂-p₂)² + (p₁-l₁)²).
    """
    a = success_rate(first)
    b = success_rate(second)
    if a is None or b is None:
        return None
    difference = b.value - a.value
    low = difference - math.hypot(b.value - b.low, a.high - a.value)
    high = difference + math.hypot(b.high - b.value, a.value - a.low)
    return Estimate(difference, max(-1.0, low), min(1.0, high), a.count + b.count)


def chance_better(first: Tally, second: Tally) -> float:
    """Return the probability that the second of two success rates is higher, 0 to 1.

    Both rates are unknown and every value was equally likely before the trials, so each is Beta(1 +
    successes, 1 + failures) after them. For integers the probability is a sum, Σ B(a₁+i, b₁+b₂) /
    ((b₂+i) B(1+i, b₂) B(a₁, b₁)) for i from 0 to a₂-1 (Miller 2014, "Formulas for Bayesian A/B
    testing", equation 6; Cook 2005, "Exact calculation of beta inequalities", UTMDABTR-005-05).
    Without a trial on either side it is 0.5.
    """
    import numpy as np
    from scipy.special import betaln

    a1, b1 = 1 + first.successes, 1 + first.count - first.successes
    a2, b2 = 1 + second.successes, 1 + second.count - second.successes
    i = np.arange(a2)
    terms = betaln(a1 + i, b1 + b2) - np.log(b2 + i) - betaln(1 + i, b2) - betaln(a1, b1)
    return min(1.0, float(np.exp(terms).sum()))


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
    """Return how likely a change this lopsided is when the two sides do not differ.

    McNemar's exact conditional test, two-sided: the probability of min(b, c) or fewer changes in
    one direction among the n changed pairs under Binomial(n, 1/2), doubled and at most 1 (McNemar
    1947, Psychometrika 12:153; Fagerland, Lydersen and Laake 2013, BMC Med. Res. Methodol. 13:91).
    """
    from scipy.special import bdtr

    changed = pairs.only_first + pairs.only_second
    rarer = min(pairs.only_first, pairs.only_second)
    return min(1.0, 2 * float(bdtr(rarer, changed, 0.5)))


def paired_rate_difference(pairs: PairedTally) -> Estimate | None:
    """Return how much higher the second of two paired success rates is; `None` without a pair.

    Newcombe's square-and-add interval (1998, Statistics in Medicine 17:2635, method 10): as
    `rate_difference`, with 2φ times the product of the two legs subtracted under the root, where φ
    is the correlation of the pairs with a continuity correction if it is positive.
    """
    first = success_rate(pairs.first)
    second = success_rate(pairs.second)
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
