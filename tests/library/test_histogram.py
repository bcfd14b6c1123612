"""How numbers are spread."""

import math
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tapes_app.library.domain.histogram import BIN_COUNT, spread_of

_NUMBERS = st.lists(st.floats(0, 1e9) | st.integers(0, 10**9), min_size=1, max_size=200)


@given(numbers=_NUMBERS, digits=st.integers(0, 6))
def test_every_number_is_in_one_bin_and_bins_leave_no_gap(
    numbers: list[float], digits: int
) -> None:
    spread = spread_of(numbers, digits=digits)

    assert spread is not None
    bins = spread.bins
    assert 1 <= len(bins) <= BIN_COUNT
    assert sum(one.count for one in bins) == len(numbers) == spread.count
    assert bins[0].low <= min(numbers)
    assert bins[-1].high >= max(numbers)
    assert all(one.low == round(one.low, digits) for one in bins)
    assert all(left.high == right.low for left, right in pairwise(bins))
    for one in bins[:-1]:
        assert one.count == sum(one.low <= number < one.high for number in numbers)


@given(numbers=_NUMBERS)
def test_half_of_the_numbers_do_not_pass_the_median(numbers: list[float]) -> None:
    spread = spread_of(numbers, digits=3)

    assert spread is not None
    assert sum(number <= spread.median for number in numbers) >= math.ceil(len(numbers) / 2)
    assert spread.low <= spread.median <= spread.p90 <= spread.high


def test_the_few_far_out_do_not_squeeze_the_others_into_one_bin() -> None:
    spread = spread_of([*range(100), 10_000], digits=0)

    assert spread is not None
    assert max(one.count for one in spread.bins) < 20
    assert (spread.median, spread.p90, spread.high) == (50, 90, 10_000)


def test_nothing_has_no_spread_and_equal_numbers_one_bin() -> None:
    assert spread_of([], digits=0) is None
    equal = spread_of([3, 3, 3], digits=0)
    assert equal is not None
    assert [(one.low, one.high, one.count) for one in equal.bins] == [(3, 3, 3)]
