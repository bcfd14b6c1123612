"""How steady scores are, and the best variant where it was not chosen."""

import pytest

from optimize_app.evaluation.services.reports.steadiness import find_best, measure_steadiness
from tests.statistics.drawing import make_scores

Table = dict[str, dict[str, list[float | None]]]

LUCKY: Table = {
    "a": {f"t{n}": [float(n % 2)] * 2 for n in range(12)},
    "b": {f"t{n}": [0.0, 0.0] for n in range(12)},
    "c": {f"t{n}": [1.0, 0.0] for n in range(12)},
}


def test_the_best_is_looked_at_where_it_was_not_chosen() -> None:
    best = find_best(make_scores(LUCKY))

    assert best is not None
    assert (best.name, best.chosen_among) == ("c", 3)
    assert (best.when_chosen.estimate.value, best.on_others.estimate.value) == (1, 0)
    second = "on 12 attempts that were not used to choose it; report the second number"
    assert second in best.sentence


def test_of_two_variants_and_of_single_attempts_none_is_the_best() -> None:
    single: Table = {
        name: {task: row[:1] for task, row in tasks.items()} for name, tasks in LUCKY.items()
    }

    assert find_best(make_scores({name: LUCKY[name] for name in "ac"})) is None
    assert find_best(make_scores(single)) is None


def test_nothing_is_claimed_where_the_other_attempts_are_missing() -> None:
    missing: Table = {**LUCKY, "c": {task: [1.0, None] for task in LUCKY["c"]}}

    assert find_best(make_scores(missing)) is None


def test_flaky_tasks_are_counted_and_attempts_vote() -> None:
    scores = make_scores({"a": {"t": [1, 1, 0], "u": [1, 1, 1], "v": [0, 0, 0], "w": [0, 0, 1]}})

    found = measure_steadiness(scores.of_variant("a"))

    assert found is not None
    assert found.flaky_task_count == 2
    assert found.majority is not None
    # Of three attempts two pass at t and u.
    assert found.majority.estimate.value == 0.5
    # One-way analysis of variance: (5/9 - 1/6) / 3 between tasks, 1/6 within.
    assert found.between_share == pytest.approx(7 / 16)


def test_single_attempts_say_nothing_of_luck() -> None:
    assert measure_steadiness(make_scores({"a": {"t": [1], "u": [0]}}).of_variant("a")) is None
