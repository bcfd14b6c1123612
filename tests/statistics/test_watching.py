"""Confidence sequences: fair bets, every look at once, and what the published process gives."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t as student

from tapes_app.engine.errors import InvalidInputError
from tapes_app.statistics.watching import watch_mean


def _capital(values: list[float], mean: float, alpha: float = 0.05) -> list[float]:
    """Return the hedged capital after each value, written out as Waudby-Smith and Ramdas do."""
    up = down = 1.0
    total, squares, variance, seen = 0.5, 0.25, 0.25, []
    for t, x in enumerate(values, start=1):
        bet = np.sqrt(2 * np.log(2 / alpha) / (variance * t * np.log(t + 1)))
        up *= 1 + min(bet, 0.5 / mean) * (x - mean)
        down *= 1 - min(bet, 0.5 / (1 - mean)) * (x - mean)
        total += x
        squares += (x - total / (t + 1)) ** 2
        variance = squares / (t + 1)
        seen.append(max(up, down) / 2)
    return seen


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40))
def test_the_interval_holds_the_means_that_nobody_got_rich_against(values: list[float]) -> None:
    watched = watch_mean(values)

    assert watched is not None
    for mean in np.arange(1, 20) / 20:
        rich = np.maximum.accumulate(_capital(values, mean)) >= 20
        inside = (watched.lows <= mean) & (mean <= watched.highs)
        # Where nobody got rich the mean is inside; out of it somebody did.
        assert (rich | inside).all()


@pytest.mark.parametrize("mean", [0.2, 0.5, 0.7])
def test_bets_on_the_true_mean_are_fair(mean: float) -> None:
    # Over all sequences of ten, capital that starts at 1 is 1 on average; half is on each side.
    expected = 0.0
    for sequence in product([0.0, 1.0], repeat=10):
        chance = mean ** sum(sequence) * (1 - mean) ** (10 - sum(sequence))
        expected += chance * _capital(list(sequence), mean)[-1]

    assert 0.5 <= expected <= 1


def test_who_looks_after_every_task_is_right_19_times_of_20() -> None:
    random, times, looks = np.random.default_rng(12), 250, 150
    wrong = {"watched": 0, "looked": 0}
    counts = np.arange(10, looks + 1)
    quantiles = student.ppf(0.975, counts - 1)

    for _ in range(times):
        values = (random.random(looks) < 0.3).astype(float)
        watched = watch_mean(values)
        assert watched is not None
        wrong["watched"] += bool(((watched.lows > 0.3) | (watched.highs < 0.3)).any())
        sums = np.cumsum(values)[9:]
        errors = np.sqrt(sums * (counts - sums) / counts / (counts - 1) / counts)
        wrong["looked"] += bool((np.abs(sums / counts - 0.3) > quantiles * errors).any())

    assert wrong["watched"] / times <= 0.05
    assert wrong["looked"] / times > 0.2


@given(st.lists(st.floats(0, 1), min_size=1, max_size=60))
def test_intervals_never_widen_and_stay_in_bounds(values: list[float]) -> None:
    watched = watch_mean(values)

    assert watched is not None
    assert (np.diff(watched.lows) >= 0).all()
    assert (np.diff(watched.highs) <= 0).all()
    assert (watched.lows >= 0).all()
    assert (watched.highs <= 1).all()
    assert (watched.lows <= watched.highs).all()


def test_differences_are_watched_between_minus_one_and_one() -> None:
    values = np.random.default_rng(3).choice([-1.0, 0.0, 1.0], 200, p=[0.1, 0.5, 0.4])

    differences = watch_mean(values, bounds=(-1, 1))
    halves = watch_mean((values + 1) / 2)

    assert differences is not None
    assert halves is not None
    assert differences.lows == pytest.approx(2 * halves.lows - 1)
    assert differences.now.count == 200
    assert differences.now.low > 0


def test_a_mean_that_drifts_leaves_the_last_interval_that_held_anything() -> None:
    watched = watch_mean([0.0] * 300 + [1.0] * 3_000)

    assert watched is not None
    assert (watched.lows <= watched.highs).all()


def test_nothing_seen_is_nothing_known_and_missing_values_are_refused() -> None:
    assert watch_mean([]) is None
    with pytest.raises(InvalidInputError, match="leave out missing"):
        watch_mean([0.5, float("nan")])
    with pytest.raises(InvalidInputError, match="between 0 and 1"):
        watch_mean([2.0])
