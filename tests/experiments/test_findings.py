"""The sentence on top of an experiment claims as much as the runs do."""

import pytest

from tapes_app.experiments.domain.findings import find_best
from tapes_app.statistics.rates import Tally


def say(baseline: tuple[int, int], /, *, is_over: bool = True, **arms: tuple[int, int]) -> str:
    tallies = {name: (Tally(*baseline), Tally(*passed)) for name, passed in arms.items()}
    return find_best(tallies, is_over=is_over).sentence


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        (
            say((0, 5), A=(0, 5), B=(5, 5)),
            "B passes 5 of 5, the baseline 0 of 5: 99 % sure that B is better.",
        ),
        (
            say((2, 5), A=(3, 5)),
            "A passes 3 of 5, the baseline 2 of 5: only 71 % sure that A is better; run more.",
        ),
        (
            say((2, 5), A=(3, 5), B=(1, 5), C=(0, 5)),
            "A passes 3 of 5, the baseline 2 of 5: this may well be chance; run more.",
        ),
        (
            say((0, 9), A=(9, 9), B=(9, 9)),
            "A and B pass 9 of 9 each, the baseline 0 of 9: 99 % sure that A and B are "
            "better; which of them is best is open.",
        ),
        (
            say((5, 5), A=(5, 5)),
            "A passes 5 of 5, the baseline 5 of 5: nothing passes more often than the baseline.",
        ),
        (say((1, 5), A=(0, 5), B=(0, 4)), "No fix passes, the baseline 1 of 5."),
        (say((0, 5), edited=(0, 5)), "The edit passes 0 of 5, the baseline 0 of 5."),
        (
            say((0, 0), A=(2, 2)),
            "A passes 2 of 2; run the baseline too, to know whether that is better.",
        ),
        (
            say((0, 1), A=(1, 1), is_over=False),
            "So far: A passes 1 of 1, the baseline 0 of 1: only 83 % sure that A is better; "
            "run more.",
        ),
        (say((3, 3), A=(0, 0)), ""),
    ],
)
def test_the_finding_says_what_the_runs_say(said: str, sentence: str) -> None:
    assert said == sentence


def test_more_edits_compared_make_nobody_surer() -> None:
    alone = say((1, 5), A=(5, 5))
    none = (0, 5)
    among = say((1, 5), A=(5, 5), B=none, C=none, D=none, E=none, F=none, G=none, H=none)

    assert alone.endswith("99 % sure that A is better.")
    assert "only 93 % sure that A is better" in among
