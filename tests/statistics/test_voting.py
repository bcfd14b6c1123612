"""A vote chooses the first run of the most frequent answer, and is compared with one run."""

import pytest

from tapes_app.statistics.attempts import Attempt
from tapes_app.statistics.voting import Choice, choose_by_vote, rate_votes


@pytest.mark.parametrize(
    ("answers", "choice"),
    [
        (["7", "8", "8"], Choice(1, is_tied=False)),
        (["7", None, None], Choice(0, is_tied=False)),
        ([None, "8", "7"], Choice(1, is_tied=True)),
        (["9", "8", "7", "8", "7"], Choice(1, is_tied=True)),
        ([None, None], None),
        ([], None),
    ],
)
def test_the_most_frequent_answer_wins_and_of_equals_the_first(
    answers: list[str | None], choice: Choice | None
) -> None:
    assert choose_by_vote(answers) == choice


def attempts_of(table: dict[str, list[float | None]]) -> list[Attempt]:
    return [
        Attempt(task, "", seed, score)
        for task, scores in table.items()
        for seed, score in enumerate(scores)
    ]


def test_a_vote_is_compared_with_one_run_at_the_tasks_where_it_has_a_score() -> None:
    runs = attempts_of({"t": [1, 1, 0], "u": [0, 0, 0], "v": [0, 1, 1], "w": [1, None, 0]})
    chosen = attempts_of({"t": [1], "u": [0], "v": [1], "w": [None]})

    rates = rate_votes(runs, chosen)

    assert rates is not None
    assert rates.one_run.estimate.value == pytest.approx(4 / 9)
    assert rates.vote.estimate.value == pytest.approx(2 / 3)
    assert rates.difference.value == pytest.approx(2 / 9)
    assert rates.difference.count == 3
    assert rate_votes(runs, attempts_of({"w": [None]})) is None
