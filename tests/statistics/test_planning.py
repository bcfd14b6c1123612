"""Power and sample sizes: published sizes, simulation, and what must grow with what."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import ttest_1samp
from statsmodels.stats.power import TTestPower

from tapes_app.statistics.planning import (
    Spread,
    attempts_needed,
    guess_spread,
    measure_spread,
    plan_separation,
    power_to_find,
    smallest_difference,
    tasks_needed,
)
from tests.statistics.drawing import make_scores

spreads = st.builds(Spread, st.floats(0.01, 1), st.floats(0.01, 1))


@pytest.mark.parametrize(
    ("size", "power", "pairs"), [(0.5, 0.8, 34), (0.5, 0.95, 54), (0.2, 0.8, 199)]
)
def test_tasks_needed_are_those_of_published_tables(size: float, power: float, pairs: int) -> None:
    # G*Power 3 (Faul et al. 2007), two dependent means, two-sided 5 %, effect dz.
    assert tasks_needed(size, Spread(1.0, 0.0), power=power) == pairs


def test_the_power_told_is_how_often_a_t_test_finds_it() -> None:
    random, spread = np.random.default_rng(6), Spread(between=0.02, within=0.4)
    told = power_to_find(0.1, spread, tasks=50, attempts_per_task=4)

    differences = 0.1 + random.normal(size=(4_000, 50)) * spread.of_task(4)
    found = (ttest_1samp(differences, 0, axis=1).pvalue <= 0.05).mean()

    assert found == pytest.approx(told, abs=0.025)


@pytest.mark.parametrize(("size", "tasks"), [(0.1, 40), (0.5, 12), (1.0, 5), (3.0, 2)])
def test_the_power_told_is_that_of_statsmodels(size: float, tasks: int) -> None:
    expected = TTestPower().power(size, tasks, 0.05)

    assert power_to_find(size, Spread(1, 0), tasks=tasks) == pytest.approx(expected)


@given(spreads, st.integers(2, 300), st.integers(1, 20))
def test_the_smallest_difference_is_found_as_often_as_said(
    spread: Spread, tasks: int, attempts: int
) -> None:
    found = smallest_difference(spread, tasks=tasks, attempts_per_task=attempts)

    assert found is not None
    assert power_to_find(found, spread, tasks=tasks, attempts_per_task=attempts) == pytest.approx(
        0.8, abs=1e-4
    )
    more = smallest_difference(spread, tasks=tasks + 5, attempts_per_task=attempts + 1)
    assert more is not None
    assert more < found


@given(spreads, st.floats(0.05, 0.9), st.integers(2, 200))
def test_one_attempt_fewer_than_needed_is_not_enough(
    spread: Spread, difference: float, tasks: int
) -> None:
    needed = attempts_needed(difference, spread, tasks=tasks)

    if needed is None:
        # However many attempts there are, what differs between the tasks stays.
        assert power_to_find(difference, Spread(spread.between, 0), tasks=tasks) < 0.8 + 1e-6
        return
    assert power_to_find(difference, spread, tasks=tasks, attempts_per_task=needed) >= 0.8
    assume(needed > 1)
    assert power_to_find(difference, spread, tasks=tasks, attempts_per_task=needed - 1) < 0.8


def test_the_spread_that_is_measured_is_the_true_one() -> None:
    random, found = np.random.default_rng(9), []

    for _ in range(30):
        base = random.uniform(0.2, 0.8, 60)
        rates = {"a": base, "b": base + random.choice([-0.2, 0.2], 60)}
        scores = make_scores(
            {
                name: {
                    f"t{n}": list((random.random(6) < p).astype(float)) for n, p in enumerate(each)
                }
                for name, each in rates.items()
            }
        )
        spread = measure_spread(scores, "a", "b")
        assert spread is not None
        found.append((spread.between, spread.within))

    # Of a: the mean of p(1-p) over 0.2 to 0.8, 0.22; of b 0.04 less, as p moves by ±0.2.
    assert np.mean(found, axis=0) == pytest.approx([0.04, 0.22 + 0.18], rel=0.15)


def test_a_plan_says_what_would_tell_two_apart() -> None:
    random = np.random.default_rng(1)
    scores = make_scores(
        {
            name: {f"t{n}": list((random.random(4) < p).astype(float)) for n in range(30)}
            for name, p in (("a", 0.5), ("b", 0.6))
        }
    )

    plan = plan_separation(scores, "a", "b")

    assert plan is not None
    assert (plan.tasks, plan.attempts_now) == (30, 4)
    assert plan.smallest_now is not None
    assert plan.tasks_as_now is not None
    assert (abs(plan.difference) < plan.smallest_now) == (plan.tasks_as_now > 30)


def test_nothing_is_planned_of_what_cannot_be_known() -> None:
    once = make_scores({"a": {"x": [1], "y": [0]}, "b": {"x": [0], "y": [0]}})

    assert plan_separation(once, "a", "b") is None
    assert measure_spread(once, "a", "b") is None
    assert tasks_needed(0.0, Spread(1, 1)) is None
    assert smallest_difference(Spread(1, 1), tasks=1) is None
    assert power_to_find(1, Spread(1, 1), tasks=1) == 0


def test_a_guess_adds_up_to_the_variance_of_a_difference_of_rates() -> None:
    # Var(X - Y) = 2p(1-p)(1-r) for two Bernoulli variables with correlation r.
    spread = guess_spread(0.7, correlation=0.3)

    assert spread.of_task(1) ** 2 == pytest.approx(2 * 0.7 * 0.3 * 0.7)
