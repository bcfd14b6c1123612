"""How numbers are distributed: bins of equal width, and one bin for the few outliers."""

from collections.abc import Sequence
from dataclasses import dataclass

BIN_COUNT = 12
_FAR_OUT = 0.95
"""The share of the numbers that the equal bins hold; larger numbers share one extra bin."""


@dataclass(frozen=True, slots=True)
class Bin:
    """How many numbers are from `low` up to `high`; the last bin includes `high`."""

    low: float
    high: float
    count: int


@dataclass(frozen=True, slots=True)
class Spread:
    """The range of a set of numbers; `low` and `high` are the minimum and the maximum."""

    count: int
    low: float
    median: float
    p90: float
    high: float
    bins: tuple[Bin, ...]


def spread_of(numbers: Sequence[float], *, digits: int) -> Spread | None:
    """Return the spread of numbers, `None` for none; bin edges have `digits` decimal places."""
    if not numbers:
        return None
    ordered = sorted(numbers)
    return Spread(
        count=len(ordered),
        low=ordered[0],
        median=quantile(ordered, 0.5),
        p90=quantile(ordered, 0.9),
        high=ordered[-1],
        bins=_count_bins(ordered, _edges(ordered, digits)),
    )


def quantile(ordered: Sequence[float], share: float) -> float:
    """Return the smallest of the ordered numbers that a `share` of them does not exceed."""
    place = -(-len(ordered) * share // 1)  # rounded up
    return ordered[max(0, min(len(ordered), int(place)) - 1)]


def _edges(ordered: Sequence[float], digits: int) -> list[float]:
    low = _round_down(ordered[0], digits)
    near = _round_up(quantile(ordered, _FAR_OUT), digits)
    high = _round_up(ordered[-1], digits)
    if near <= low:
        return [low, high]
    width = max(10**-digits, _round_up((near - low) / (BIN_COUNT - 1), digits))
    edges = [low]
    while len(edges) < BIN_COUNT - 1:
        following = round(low + width * len(edges), digits)
        if following >= near:
            break
        edges.append(following)
    return [*edges, near, high] if high > near else [*edges, near]


def _round_down(number: float, digits: int) -> float:
    nearest = round(number, digits)
    return nearest if nearest <= number else round(nearest - 10**-digits, digits)


def _round_up(number: float, digits: int) -> float:
    return -_round_down(-number, digits)


def _count_bins(ordered: Sequence[float], edges: Sequence[float]) -> tuple[Bin, ...]:
    counts = [0] * (len(edges) - 1)
    at = 0
    for number in ordered:
        while at < len(counts) - 1 and number >= edges[at + 1]:
            at += 1
        counts[at] += 1
    return tuple(
        Bin(low, high, count)
        for low, high, count in zip(edges[:-1], edges[1:], counts, strict=True)
    )
