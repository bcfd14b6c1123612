"""Variance between and within tasks, and tasks that are now passed and now failed."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapes_app.statistics.attempts import Attempt, Scores
from tapes_app.statistics.variation import flaky_tasks, variance_parts
from tests.statistics.drawing import make_scores

# Montgomery, Design and Analysis of Experiments, the loom experiment of the chapter on random
# effects: strength of fabric, four looms, four pieces each.
LOOMS = {"1": [98, 97, 99, 96], "2": [91, 90, 93, 92], "3": [96, 95, 97, 95], "4": [95, 96, 99, 98]}


def test_the_parts_are_those_of_montgomerys_looms() -> None:
    rows = [
        Attempt(loom, "v", seed, strength)
        for loom, strengths in LOOMS.items()
        for seed, strength in enumerate(strengths)
    ]

    parts = variance_parts(Scores.of(rows, bounds=(0, 100)).of_variant("v"))

    assert parts is not None
    assert (round(parts.between, 2), round(parts.within, 2)) == (6.96, 1.90)
    assert parts.between_share == pytest.approx(6.96 / 8.86, abs=0.001)
    assert parts.standard_error(tasks=4, attempts_per_task=4) == pytest.approx(
        np.sqrt(29.73 / 16), abs=0.001
    )


def test_unequal_numbers_of_attempts_give_the_true_parts_on_average() -> None:
    random, found = np.random.default_rng(4), []

    for _ in range(60):
        tasks = random.normal(0, 2, 40)
        rows = [
            Attempt(f"t{task}", "v", seed, float(mean + random.normal()))
            for task, mean in enumerate(tasks)
            for seed in range(1 + task % 4)
        ]
        parts = variance_parts(Scores.of(rows, bounds=(-100, 100)).of_variant("v"))
        assert parts is not None
        found.append((parts.between, parts.within))

    assert np.mean(found, axis=0) == pytest.approx([4, 1], rel=0.1)


def test_one_attempt_at_each_task_says_nothing_of_seeds() -> None:
    assert variance_parts(make_scores({"v": {"a": [1], "b": [0, None]}}).of_variant("v")) is None
    assert variance_parts(make_scores({"v": {"a": [1, 0]}}).of_variant("v")) is None


def test_flaky_tasks_come_with_the_most_uncertain_first() -> None:
    scores = make_scores({"v": {"a": [1, 0, 0, 0], "b": [1, 1], "c": [0, 1, None, 1, 0], "d": [0]}})

    found = flaky_tasks(scores.of_variant("v"))

    assert [task.task for task in found] == ["c", "a"]
    # Of the six pairs of two passes and two failures four differ; of three and one, three do.
    assert [task.chance_to_differ for task in found] == pytest.approx([4 / 6, 3 / 6])
    assert [task.rate.value for task in found] == [0.5, 0.25]


@given(st.lists(st.lists(st.sampled_from([0.0, 1.0]), min_size=1, max_size=5), min_size=1))
def test_a_task_is_flaky_when_its_attempts_differ(tasks: list[list[float]]) -> None:
    scores = make_scores({"v": {f"t{n}": list(each) for n, each in enumerate(tasks)}})

    names = {task.task for task in flaky_tasks(scores.of_variant("v"))}

    assert names == {f"t{n}" for n, each in enumerate(tasks) if len(set(each)) == 2}
