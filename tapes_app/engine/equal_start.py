"""How far two sequences agree from their start."""

from collections.abc import Iterable
from itertools import takewhile


def count_equal_start(one: Iterable[object], other: Iterable[object]) -> int:
    """Return how many items two sequences have in common before the first that differs."""
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
