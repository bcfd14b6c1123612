"""The attempts at a task vote on the answer, however each of them writes it."""

from dataclasses import fields
from typing import Any
from uuid import UUID, uuid4

import pytest

from optimize_app.evaluation.services.reports.votes import VoteReport, Votes, count_votes
from optimize_app.evaluation.services.sweeps.swept_tapes import SweptTape
from tapes_app.experiments.store.attempt_rows import AttemptRow

PROSE = "It is hard to say, because the documents contradict each other on this, but I believe "
PROSE += "that the population was about twelve hundred at the time."

Attempts = list[tuple[str, float | None]]


def swept(task: str, number: int, answer: str, score: float | None, **values: Any) -> SweptTape:
    usual: dict[str, Any] = dict.fromkeys((field.name for field in fields(AttemptRow)), None)
    row = {"tape_id": UUID(int=number, version=4), "state": "succeeded", "task": "", **values}
    return SweptTape(0, number, AttemptRow(**{**usual, "actual": answer, **row}), task, score)


def count(tasks: dict[str, Attempts], *, size: int = 3, any_order: bool = False) -> Votes | None:
    attempts = [
        swept(task, number, answer, score, tape_id=uuid4())
        for task, group in tasks.items()
        for number, (answer, score) in enumerate(group)
    ]
    return count_votes(attempts, size, any_order=any_order)


def report_of(tasks: dict[str, Attempts], **options: Any) -> VoteReport:
    votes = count(tasks, **options)
    assert votes is not None
    assert len(votes.chosen) == votes.report.vote.tasks
    return votes.report


def test_answers_that_mean_the_same_vote_together() -> None:
    found = report_of(
        {
            "gained": [("1,300", 0), ("1200 crowns", 1), ("1,200", 1)],
            "lost": [("the Old Mill", 1), ("Mill Pond", 0), ("mill pond.", 0)],
            "same": [("Ada, Ben", 1), ("Ada and Ben", 1), ("", 0)],
            "tied": [("7", 0), ("8", 1), ("9", 0)],
        }
    )

    assert (found.differing_count, found.gained_count, found.lost_count) == (2, 1, 1)
    assert (found.tied_count, found.left_out_count, found.attempt_count) == (1, 0, 3)
    assert found.vote.estimate.value == 0.5
    assert found.one_run.estimate.value == pytest.approx(0.5)
    assert found.sentence.replace("\N{MINUS SIGN}", "-") == (
        "One run passes 50.0 % (16.2 % to 83.8 %) of 4 tasks, the vote over 3 runs 50.0 % (15.0 % "
        "to 85.0 %): +0.0 points (-61.2 to +61.2). The vote differs from the first run at 2 tasks: "
        "it is right instead of wrong at 1, wrong instead of right at 1. At 1 task answers were "
        "equally frequent; the first won."
    )


def test_the_chosen_run_is_the_first_with_the_answer_and_a_verdict() -> None:
    attempts = [swept("t", 0, "8", 0), swept("t", 1, "7", None), swept("t", 2, "7.0", 1)]

    votes = count_votes(attempts, 3)

    assert votes is not None
    assert votes.chosen == {attempts[2].row.tape_id}


def test_what_has_no_verdict_or_is_going_on_is_left_out() -> None:
    done: Attempts = [("1", 1), ("1", 1), ("2", 0)]
    found = report_of(
        {"done": done, "undecided": [("x", None), ("x", None), ("y", 0)], "few": done[:2]}
    )

    assert (found.vote.tasks, found.left_out_count) == (1, 2)
    going = [swept("t", n, "1", 1, state="running" if n else "succeeded") for n in range(3)]
    assert count_votes(going, 3) is None


def test_runs_that_answer_nothing_are_scored_and_do_not_vote() -> None:
    found = report_of({"t": [("", 0), ("", 0), ("5", 1)], "u": [("", 0), ("", 0), ("", 0)]})

    assert (found.vote.estimate.value, found.gained_count) == (0.5, 1)


def test_lists_vote_together_in_any_order_if_the_scorer_takes_any() -> None:
    tasks: dict[str, Attempts] = {"t": [("C", 0), ("A, B", 1), ("B, A", 1)]}

    assert report_of(tasks).differing_count == 0
    assert report_of(tasks, any_order=True).gained_count == 1


def test_two_attempts_and_prose_have_no_vote() -> None:
    assert count({"t": [("1", 1), ("1", 1)]}, size=2) is None
    assert count({"t": [(f"{PROSE} {n}", 1) for n in range(3)]}) is None
    assert count({}) is None
