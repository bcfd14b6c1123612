"""Agreement between people who answered the same question about the same items.

Pure functions over plain values, tested against published examples. A result of `None` means that
the numbers do not define it: no item has two answers, or there was no variation to measure chance
by.

Sources: J. Cohen, "A Coefficient of Agreement for Nominal Scales", Educational and Psychological
Measurement 20 (1960); K. Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011).
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import combinations
from statistics import fmean
from typing import Literal, assert_never

Level = Literal["nominal", "ordinal", "interval", "ratio"]
Unit = Sequence[Hashable | None]
"""Each person's answer about one item; `None`: no answer."""

Distance = Callable[[Hashable, Hashable], float]


def percent_agreement(units: Sequence[Unit]) -> float | None:
    """Return the share of pairs of answers to the same item that are equal, from 0 to 1."""
    equal = count = 0
    for unit in units:
        for one, other in combinations(_given(unit), 2):
            equal += one == other
            count += 1
    return equal / count if count else None


def cohens_kappa(pairs: Sequence[tuple[Hashable, Hashable]]) -> float | None:
    """Return Cohen's kappa of two people, from their answers on every item that both answered.

    (observed - expected) / (1 - expected), with chance estimated from each person's own habits.
    """
    if not pairs:
        return None
    total = len(pairs)
    observed = sum(one == other for one, other in pairs) / total
    first = Counter(one for one, _ in pairs)
    second = Counter(other for _, other in pairs)
    expected = sum(first[value] * second[value] for value in first) / total**2
    return None if expected == 1 else (observed - expected) / (1 - expected)


def mean_kappa(units: Sequence[Mapping[Hashable, Hashable]]) -> float | None:
    """Return the mean of Cohen's kappa over all pairs of people with items in common.

    Each unit maps a person to that person's answer (Light 1971, for more than two people).
    """
    shared: dict[tuple[str, str], list[tuple[Hashable, Hashable]]] = defaultdict(list)
    for unit in units:
        for one, other in combinations(sorted(unit, key=repr), 2):
            shared[repr(one), repr(other)].append((unit[one], unit[other]))
    found = [kappa for pairs in shared.values() if (kappa := cohens_kappa(pairs)) is not None]
    return fmean(found) if found else None


def krippendorffs_alpha(units: Sequence[Unit], level: Level = "nominal") -> float | None:
    """Return Krippendorff's alpha: 1 - observed disagreement / expected disagreement.

    Works for any number of people and with missing values; items with fewer than two answers do not
    count. Values of levels other than nominal must be numbers.
    """
    coincidences = _count_coincidences(units)
    totals: dict[Hashable, float] = defaultdict(float)
    for (value, _), weight in coincidences.items():
        totals[value] += weight
    count = sum(totals.values())
    distance = _choose_distance(level, totals)
    observed = sum(weight * distance(*pair) for pair, weight in coincidences.items())
    expected = sum(
        totals[one] * totals[other] * distance(one, other) for one in totals for other in totals
    )
    return None if not expected else 1 - (count - 1) * observed / expected


def _given(unit: Unit) -> list[Hashable]:
    return [value for value in unit if value is not None]


def _count_coincidences(units: Sequence[Unit]) -> dict[tuple[Hashable, Hashable], float]:
    """Return how often two values meet in a unit; each unit is weighted by its number of values."""
    found: dict[tuple[Hashable, Hashable], float] = defaultdict(float)
    for unit in units:
        counts = Counter(_given(unit))
        size = counts.total()
        if size < 2:  # noqa: PLR2004  # a pair
            continue
        for one, times in counts.items():
            for other, times_other in counts.items():
                pairs = times * (times_other - (one == other))
                if pairs:
                    found[one, other] += pairs / (size - 1)
    return found


def _choose_distance(level: Level, totals: Mapping[Hashable, float]) -> Distance:
    """Return the squared difference of two values on a level of measurement."""
    match level:
        case "nominal":
            return lambda one, other: float(one != other)
        case "ordinal":
            ranks = _mid_ranks(totals)
            return lambda one, other: (ranks[one] - ranks[other]) ** 2
        case "interval":
            return lambda one, other: (_number(one) - _number(other)) ** 2
        case "ratio":
            return _ratio_distance
        case _:
            assert_never(level)


def _mid_ranks(totals: Mapping[Hashable, float]) -> dict[Hashable, float]:
    """Return each value's middle rank: two differ by the values between, the ends by half."""
    ranks: dict[Hashable, float] = {}
    before = 0.0
    for value in sorted(totals, key=_number):
        ranks[value] = before + totals[value] / 2
        before += totals[value]
    return ranks


def _ratio_distance(one: Hashable, other: Hashable) -> float:
    total = _number(one) + _number(other)
    return ((_number(one) - _number(other)) / total) ** 2 if total else 0.0


def _number(value: Hashable) -> float:
    if not isinstance(value, int | float):
        raise TypeError(f"{value!r} is not a number; only the nominal level accepts it")
    return float(value)
