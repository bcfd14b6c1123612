"""Intervals agree with published values and hold what intervals promise."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from tapes_app.statistics.estimate import t_quantile
from tapes_app.statistics.means import mean_estimate, paired_difference
from tapes_app.statistics.rates import (
    PairedTally,
    Tally,
    chance_better,
    mcnemar_p_value,
    paired_rate_difference,
    rate_difference,
    success_rate,
)


@st.composite
def tallies(draw: st.DrawFn, *, most: int = 400) -> Tally:
    count = draw(st.integers(1, most))
    return Tally(draw(st.integers(0, count)), count)


values = st.lists(st.floats(0, 1), min_size=2, max_size=50)


@pytest.mark.parametrize(
    ("successes", "count", "low", "high"),
    [
        # Newcombe 1998, Statistics in Medicine 17:857, table I, method 3 (score).
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_agrees_with_newcombes_table(
    successes: int, count: int, low: float, high: float
) -> None:
    estimate = success_rate(Tally(successes, count))

    assert estimate is not None
    assert (round(estimate.low, 4), round(estimate.high, 4)) == (low, high)


@pytest.mark.parametrize(
    ("first", "second", "low", "high"),
    [
        # Newcombe 1998, Statistics in Medicine 17:873, table II, method 10, rows (a) to (h):
        # there the first rate minus the second.
        (Tally(48, 80), Tally(56, 70), 0.0524, 0.3339),
        (Tally(3, 10), Tally(9, 10), 0.1705, 0.8090),
        (Tally(2, 7), Tally(6, 7), 0.0582, 0.8062),
        (Tally(0, 29), Tally(5, 56), -0.0381, 0.1926),
        (Tally(0, 20), Tally(0, 10), -0.1611, 0.2775),
        (Tally(0, 10), Tally(10, 10), 0.6075, 1.0000),
    ],
)
def test_the_difference_agrees_with_newcombes_table(
    first: Tally, second: Tally, low: float, high: float
) -> None:
    estimate = rate_difference(first, second)

    assert estimate is not None
    assert (round(estimate.low, 4), round(estimate.high, 4)) == (low, high)


@pytest.mark.parametrize(
    ("degrees", "probability", "quantile"),
    [
        # NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2.
        (1, 0.975, 12.706),
        (2, 0.975, 4.303),
        (4, 0.95, 2.132),
        (9, 0.975, 2.262),
        (30, 0.995, 2.750),
        (100, 0.975, 1.984),
    ],
)
def test_t_quantiles_agree_with_the_handbook(
    degrees: int, probability: float, quantile: float
) -> None:
    assert round(t_quantile(probability, degrees), 3) == quantile


def test_a_paired_interval_agrees_with_students_sleep_data() -> None:
    # Student 1908, Biometrika 6:1: hours of sleep gained under two drugs, ten patients.
    drug_1 = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
    drug_2 = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]

    estimate = paired_difference(list(zip(drug_1, drug_2, strict=True)))

    assert estimate is not None
    assert round(estimate.value, 2) == 1.58
    assert (round(estimate.low, 4), round(estimate.high, 4)) == (0.7001, 2.4599)


@given(tallies())
def test_a_rate_lies_in_its_interval_and_the_interval_in_0_to_1(tally: Tally) -> None:
    estimate = success_rate(tally)

    assert estimate is not None
    assert 0 <= estimate.low <= tally.rate <= estimate.high <= 1
    assert estimate.low < estimate.high


@given(tallies())
def test_failures_mirror_successes(tally: Tally) -> None:
    passed = success_rate(tally)
    failed = success_rate(Tally(tally.count - tally.successes, tally.count))

    assert passed is not None
    assert failed is not None
    assert math.isclose(passed.low, 1 - failed.high, abs_tol=1e-12)
    assert math.isclose(passed.high, 1 - failed.low, abs_tol=1e-12)


@given(tallies(most=60), st.integers(2, 20))
def test_more_of_the_same_narrows_the_interval(tally: Tally, times: int) -> None:
    few = success_rate(tally)
    many = success_rate(Tally(tally.successes * times, tally.count * times))

    assert few is not None
    assert many is not None
    assert many.high - many.low < few.high - few.low


@given(tallies(), tallies())
def test_swapping_the_sides_turns_the_difference_round(first: Tally, second: Tally) -> None:
    there = rate_difference(first, second)
    back = rate_difference(second, first)

    assert there is not None
    assert back is not None
    assert math.isclose(there.value, -back.value, abs_tol=1e-12)
    assert math.isclose(there.low, -back.high, abs_tol=1e-12)
    assert there.low <= there.value <= there.high


@given(values)
def test_a_mean_lies_in_its_interval_and_the_interval_in_its_bounds(scores: list[float]) -> None:
    estimate = mean_estimate(scores, bounds=(0, 1))

    assert estimate is not None
    assert 0 <= estimate.low <= estimate.high <= 1
    assert estimate.low <= estimate.value + 1e-9
    assert estimate.value <= estimate.high + 1e-9


@given(st.floats(0.501, 0.999), st.integers(1, 200))
def test_t_quantiles_are_symmetric_and_wider_than_the_normal_ones(
    probability: float, degrees: int
) -> None:
    quantile = t_quantile(probability, degrees)

    assert math.isclose(t_quantile(1 - probability, degrees), -quantile, rel_tol=1e-6)
    assert quantile > t_quantile(probability, degrees + 1)


def test_nothing_observed_gives_no_estimate() -> None:
    assert success_rate(Tally(0, 0)) is None
    assert rate_difference(Tally(0, 0), Tally(1, 2)) is None
    assert mean_estimate([]) is None


def test_equal_values_claim_no_certainty() -> None:
    estimate = mean_estimate([1.0, 1.0, 1.0], bounds=(0, 1))

    assert estimate is not None
    assert (estimate.value, estimate.low, estimate.high) == (1, 0, 1)


def test_more_successes_than_trials_are_refused() -> None:
    with pytest.raises(ValueError, match="3 of 2"):
        Tally(3, 2)


@pytest.mark.parametrize(
    ("pairs", "p_value"),
    [
        # Fagerland, Lydersen and Laake 2013, BMC Med. Res. Methodol. 13:91: airway
        # hyper-responsiveness (Bentur et al. 2009), exact conditional test.
        (PairedTally(1, 1, 7, 12), 0.0703),
        # Complete response before and after consolidation therapy (Cavo et al. 2012).
        (PairedTally(59, 6, 16, 80), 0.0525),
        (PairedTally(3, 0, 0, 4), 1.0),
        (PairedTally(0, 2, 2, 0), 1.0),
    ],
)
def test_mcnemar_agrees_with_published_examples(pairs: PairedTally, p_value: float) -> None:
    assert round(mcnemar_p_value(pairs), 4) == p_value


@pytest.mark.parametrize(
    ("pairs", "low", "high"),
    [
        # Bentur et al. 2009 as above, Newcombe's square-and-add interval.
        (PairedTally(1, 1, 7, 12), 0.026, 0.507),
        # Altman et al. 2000, Statistics with confidence, table 6.2; there first minus second.
        (PairedTally(14, 5, 0, 22), -0.226, -0.011),
    ],
)
def test_paired_rates_agree_with_published_examples(
    pairs: PairedTally, low: float, high: float
) -> None:
    estimate = paired_rate_difference(pairs)

    assert estimate is not None
    assert (round(estimate.low, 3), round(estimate.high, 3)) == (low, high)


paired_tallies = st.builds(PairedTally, *[st.integers(0, 60)] * 4)


@given(paired_tallies)
def test_a_paired_difference_mirrors_when_sides_swap(pairs: PairedTally) -> None:
    swapped = PairedTally(pairs.both, pairs.only_second, pairs.only_first, pairs.neither)
    one, other = paired_rate_difference(pairs), paired_rate_difference(swapped)

    assert mcnemar_p_value(pairs) == mcnemar_p_value(swapped)
    assert 0 <= mcnemar_p_value(pairs) <= 1
    if one is None or other is None:
        assert pairs.count == 0
        return
    assert one.low <= one.value <= one.high
    assert (one.low, one.high) == pytest.approx((-other.high, -other.low))


def test_many_pairs_have_a_p_value_too() -> None:
    assert mcnemar_p_value(PairedTally(0, 5_000, 5_000, 0)) == 1.0
    assert mcnemar_p_value(PairedTally(0, 0, 5_000, 0)) == 0.0


def test_five_of_five_against_none_of_five_is_better_but_for_one_in_924() -> None:
    # The rates are the highest of six and the lowest of six uniform numbers: only one order of
    # the C(12, 6) in which these may be mixed has all of the second below the first.
    assert chance_better(Tally(0, 5), Tally(5, 5)) == pytest.approx(1 - 1 / 924)


@given(tallies(most=60), tallies(most=60))
def test_one_of_two_rates_is_the_better_one(first: Tally, second: Tally) -> None:
    forth, back = chance_better(first, second), chance_better(second, first)

    assert forth + back == pytest.approx(1)
    if first.rate == second.rate and first.count == second.count:
        assert forth == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("successes", "count", "low", "high"),
    [
        # Newcombe 1998, Statistics in Medicine 17:857, table I, method 5 (exact).
        (81, 263, 0.2527, 0.3676),
        (15, 148, 0.0578, 0.1617),
        (0, 20, 0.0000, 0.1684),
        (1, 29, 0.0009, 0.1776),
    ],
)
def test_clopper_pearson_agrees_with_newcombes_table(
    successes: int, count: int, low: float, high: float
) -> None:
    estimate = success_rate(Tally(successes, count), method="clopper_pearson")

    assert estimate is not None
    assert (round(estimate.low, 4), round(estimate.high, 4)) == (low, high)


@given(tallies())
def test_at_the_ends_of_the_exact_interval_the_tails_are_a_fortieth(tally: Tally) -> None:
    exact = success_rate(tally, method="clopper_pearson")

    assert exact is not None
    # At its ends, what was seen or more lies in a tail of 2.5 %.
    if tally.successes:
        assert binom.sf(tally.successes - 1, tally.count, exact.low) == pytest.approx(0.025)
    if tally.successes < tally.count:
        assert binom.cdf(tally.successes, tally.count, exact.high) == pytest.approx(0.025)
