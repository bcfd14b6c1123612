"""From problems to judged tapes on the command line."""

import pytest

from tapes_app.gallery.math.problems import make_problems
from tapes_app.models import TapeRecord
from tests.commands.running import fail, run, run_json

pytestmark = pytest.mark.django_db(transaction=True)


def test_problems_are_made_solved_and_judged() -> None:
    made = run_json("make_problems", "--count", "12", "--seed", "3")

    rerun = run_json(
        "rerun_tapes", "--agent", "math", "-q", "dataset:math-train", "--batch", "teacher"
    )

    assert (made["name"], made["tape_count"], made["train_count"]) == ("math-train", 12, 12)
    assert rerun["states"] == {"succeeded": 12}
    tapes = TapeRecord.objects.filter(batch__name="teacher")
    assert {tape.outcome for tape in tapes} == {"pass", "fail"}
    for tape in tapes:
        assert (tape.outcome == "pass") == (tape.actual == tape.expected)
        assert (tape.split, tape.task[:13]) == ("train", "math train 3-")


def test_a_start_tape_holds_the_problem_and_knows_its_answer() -> None:
    run("make_problems", "--split", "test", "--count", "3", "--dataset", "exam")

    tapes = TapeRecord.objects.filter(dataset_places__dataset__name="exam")
    assert {(tape.title, tape.step_count, tape.expected, tape.outcome) for tape in tapes} == {
        (problem.text, 1, str(problem.answer), "") for problem in make_problems("test", 3)
    }


@pytest.mark.parametrize("count", ["0", "-1", "10001"])
def test_a_count_out_of_bounds_is_refused(count: str) -> None:
    assert "a number from 1 to 10,000" in fail("make_problems", "--count", count)


def test_a_taken_name_is_refused_and_nothing_is_made() -> None:
    run("make_problems", "--count", "2")

    said = fail("make_problems", "--count", "2", "--seed", "1")

    assert "already has a dataset 'math-train'" in said
    assert TapeRecord.objects.count() == 2
