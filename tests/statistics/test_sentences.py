"""Sentences claim no more than the numbers do."""

import numpy as np
import pytest

from tapes_app.statistics.attempts import Attempt, Scores
from tapes_app.statistics.comparisons import Comparison, compare
from tapes_app.statistics.many_variants import compare_with_baseline, reestimate_winner
from tapes_app.statistics.planning import plan_separation
from tapes_app.statistics.sentences import (
    describe_comparison,
    describe_reach,
    describe_variation,
    describe_winner,
)
from tapes_app.statistics.variation import VarianceParts, variance_parts
from tests.statistics.drawing import make_scores


def _rates(rates: dict[str, float], *, tasks: int = 40, attempts: int = 5) -> Scores:
    random = np.random.default_rng(7)
    return make_scores(
        {
            name: {f"t{n}": list((random.random(attempts) < p) * 1.0) for n in range(tasks)}
            for name, p in rates.items()
        }
    )


def _compare(scores: Scores) -> Comparison:
    found = compare(scores, "a", "b")
    assert found is not None
    return found


def test_a_clear_difference_names_the_better_one_whichever_it_is() -> None:
    up = describe_comparison(_compare(_rates({"a": 0.3, "b": 0.7})))
    down = describe_comparison(_compare(_rates({"a": 0.7, "b": 0.3})))

    assert up.startswith("b is better than a by ")
    assert down.startswith("a is better than b by ")
    assert " points (95 %: " in up
    assert up.endswith(") on 40 tasks; chance alone is unlikely, p < 0.001.")
    assert "\N{MINUS SIGN}" not in down


def test_an_unclear_difference_stays_open_and_says_what_would_help() -> None:
    scores = _rates({"a": 0.5, "b": 0.54})

    said = describe_comparison(_compare(scores), plan_separation(scores, "a", "b"))

    assert said.startswith("No clear winner: b is ahead of a by ")
    assert ". If the difference is real, " in said
    assert "would show it 4 times out of 5" in said


def test_what_is_missing_or_compared_many_times_is_said() -> None:
    rows = [Attempt(f"t{n}", v, 0, None if n == 3 else n % 2 / 2) for v in "abc" for n in range(9)]
    rows += [Attempt("alone", "b", 0, 1.0)]

    first, _ = compare_with_baseline(Scores.of(rows), "a")
    said = describe_comparison(first)

    assert said.startswith("No clear winner: b and a score the same, 0.0 points (95 %: ")
    assert said.endswith(
        "Limits: only 8 independent tasks, one seed, 2 attempts missing, 1 task that only one of"
        " them has."
    )


def test_other_bounds_are_told_as_they_are() -> None:
    rows = [Attempt(f"t{n}", v, 0, n + 10 * (v == "b") + n % 3) for v in "ab" for n in range(30)]
    rows += [Attempt("u", "a", 0, 0.0), Attempt("u", "b", 0, 9.0)]

    said = describe_comparison(_compare(Scores.of(rows, bounds=(0, 50))))

    assert said.startswith("b is better than a by 9.97 (95 %: 9.9 to 10) on 31 tasks; ")


def test_a_winner_is_told_by_what_did_not_choose_it() -> None:
    scores = _rates({"a": 0.5, "b": 0.5, "c": 0.5})

    said = describe_winner(
        reestimate_winner(scores.with_seeds([0]), scores.with_seeds([1, 2, 3, 4]))
    )

    assert " was the best of 3 with " in said
    assert "on 160 attempts that were not used to choose it; report the second number." in said


def test_of_variation_is_said_whether_tasks_or_attempts_would_help() -> None:
    luck = VarianceParts(between=0.0, within=0.25, tasks=20, attempts=60)
    tasks = VarianceParts(between=0.25, within=0.0, tasks=20, attempts=60)

    assert describe_variation(luck, 20) == (
        "20 of 20 tasks had both results; 0 % of the variance comes from the tasks, the rest from"
        " chance. Twice the attempts would narrow its interval by about 29 %, twice the tasks by"
        " 29 %."
    )
    assert "narrow its interval by about 0 %, twice the tasks by 29 %" in describe_variation(
        tasks, 0
    )


def test_where_nothing_varies_nothing_is_advised() -> None:
    alike = variance_parts(make_scores({"a": {"t": [1.0] * 3, "u": [1.0] * 3}}).of_variant("a"))

    assert alike is not None
    assert describe_variation(alike, 0) == "all 6 attempts had the same result."


@pytest.mark.parametrize(
    ("difference", "said"),
    [(0.214, "a difference of 21 points or more between"), (1.3, "no difference between")],
)
def test_what_a_sweep_can_find_is_said_before_it_runs(difference: float, said: str) -> None:
    told = describe_reach(difference, tasks=24, attempts_per_task=1)

    assert told.startswith(f"With 24 tasks and 1 attempt at each, {said} two variants would be")
