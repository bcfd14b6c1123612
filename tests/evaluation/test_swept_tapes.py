"""Why an attempt is missing is told from its row."""

from dataclasses import fields
from typing import Any
from uuid import uuid4

import pytest

from optimize_app.evaluation.services.sweeps.swept_tapes import (
    SweptTape,
    explain_nothing_judged,
    explain_score,
    score_of,
)
from tapes_app.experiments.store.attempt_rows import AttemptRow


def undecided(**values: Any) -> AttemptRow:
    """Return an attempt that ended well, with no outcome."""
    usual: dict[str, Any] = dict.fromkeys((field.name for field in fields(AttemptRow)), None)
    told = {"tape_id": uuid4(), "state": "succeeded", "outcome": "", "expected": "", "reason": ""}
    return AttemptRow(**{**usual, **told, **values})


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({}, "Nobody has judged it: its tape has no check and no expected answer."),
        (
            {"expected": "42"},
            "Whether its answer means '42' is for a person or a judge: texts cannot tell.",
        ),
        (
            {"expected": "42", "score": 0.5},
            "Nobody has judged it: its score of 0.5 says neither pass nor fail.",
        ),
        ({"expected": "42", "reason": "It asked back."}, "It asked back."),
    ],
)
def test_an_attempt_without_an_outcome_says_what_is_missing(
    values: dict[str, Any], why: str
) -> None:
    row = undecided(**values)

    assert score_of(row) is None
    assert explain_score(row) == why


def test_a_variant_without_a_score_says_why_and_what_to_do() -> None:
    rows = [undecided(state="failed", message="No key.") for _ in range(2)]
    attempts = [SweptTape(0, 0, row, "", None) for row in (*rows, undecided())]

    assert explain_nothing_judged(attempts[:2]) == (
        "Its run failed: No key. Choose Retry missing runs once that is mended."
    )
    assert explain_nothing_judged(attempts).startswith("Most often, in 2 of 3 runs: Its run failed")
    assert "Choose Rescore to let a check or a judge decide" in explain_nothing_judged(attempts[2:])
    assert explain_nothing_judged([]) == "None of its runs has started."
