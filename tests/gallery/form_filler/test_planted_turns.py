"""The rule judges of GREADTH against turns that were written by hand."""

import pytest

from tapes_app.gallery.form_filler.greadth.scores import CRITERIA, score_turn
from tests.gallery.form_filler.planted_turns import CLEAN, list_faulty

MISSED = {
    "grounded": ["Arrival: 2027-05-03, pier 9. What is the departure? You may skip it."],
    "helpful": ["Departure is skipped. What is the hour? By default it is 12:00."],
}
"""What the rules do not see: a digit that occurs elsewhere, a word meant for another slot."""


def test_clean_turns_are_legal_and_pass() -> None:
    failed = {
        name: (one.turn.after.reason, one.message, score_turn(one.turn))
        for name, one in CLEAN.items()
        if not score_turn(one.turn).passes
    }

    assert len(CLEAN) >= 20
    assert not failed


@pytest.mark.parametrize("criterion", CRITERIA)
def test_faults_written_by_hand_are_found(criterion: str) -> None:
    faulty = list_faulty(criterion)
    missed = [one.message for one in faulty if getattr(score_turn(one.turn), criterion)]
    blamed = sum(not getattr(score_turn(one.turn), criterion) for one in CLEAN.values())

    assert len(faulty) >= 20
    assert missed == MISSED.get(criterion, [])
    assert blamed == 0
