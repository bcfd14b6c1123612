"""Two success rates over the same things: the table of pairs, McNemar's test, the difference."""

import math
from dataclasses import dataclass

from tapes_app.statistics.estimate import CONFIDENCE, Estimate
from tapes_app.statistics.rates import Tally, success_rate


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
    from scipy.special import bdtr

    changed = pairs.only_first + pairs.only_second
    rarer = min(pairs.only_first, pairs.only_second)
    return min(1.0, 2 * float(bdtr(rarer, changed, 0.5)))


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
