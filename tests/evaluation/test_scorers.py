"""Scorers tell right from wrong, and say when they cannot."""

from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from optimize_app.evaluation.scoring.plain_scores import score_attempt
from optimize_app.evaluation.scoring.scorers import Scorer, validate_scorer
from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.tape.dialog_steps import AssistantStep, UserStep
from tapes_app.engine.tape.tape import Tape
from tapes_app.experiments.domain.checks import Ended

SCORERS: TypeAdapter[Any] = TypeAdapter(Scorer)


def scorer(kind: str, **values: Any) -> Any:
    return SCORERS.validate_python({"kind": kind, **values})


def ended(*said: str) -> Ended:
    steps = (UserStep(content="How many?"), *(AssistantStep(content=text) for text in said))
    return Ended(Tape(steps=steps), 1, "ok")


@pytest.mark.parametrize(
    ("kind", "values", "said", "expected", "value"),
    [
        ("equals", {}, " 1,200 ", "1,200", 1),
        ("equals", {}, "Paris", "paris", 0),
        ("equals", {"ignores_case": True}, "Paris", "paris", 1),
        ("contains", {}, "It is Paris.", "Paris", 1),
        ("answer", {}, "$1,200.00", "1200", 1),
        ("answer", {}, "Paris; Rome", "paris, rome", 1),
        ("answer", {}, "17", "18", 0),
        ("answer", {}, "the capital is Paris, I believe", "Paris", None),
        ("answer", {"takes_unclear_as_wrong": True}, "the capital is Paris", "Paris", 0),
        ("number", {}, "so it is 41.5 in all", "41.5", 1),
        ("number", {"within": 1}, "so it is 41.5 in all", "42", 1),
        ("number", {}, "so it is 41.5 in all", "42", 0),
        ("number", {}, "none at all", "42", 0),
        ("number", {}, "42", "forty-two", None),
    ],
)
def test_an_attempt_is_scored_beside_what_its_example_expects(
    kind: str, values: dict[str, Any], said: str, expected: str, value: float | None
) -> None:
    score = score_attempt(scorer(kind, **values), ended(said), expected)

    assert score.value == value
    assert score.explanation.endswith(".")


@pytest.mark.parametrize("kind", ["equals", "contains", "answer", "number"])
@pytest.mark.parametrize("expected", [None, " "])
def test_without_an_expected_value_nothing_is_scored(kind: str, expected: str | None) -> None:
    score = score_attempt(scorer(kind), ended("42"), expected)

    assert score.value is None
    assert "no expected value" in score.explanation


def test_no_answer_is_a_wrong_one() -> None:
    assert score_attempt(scorer("answer"), ended(), "42").value == 0


def test_a_check_scores_every_example_alike() -> None:
    score = score_attempt(
        scorer("check", check={"kind": "regex", "pattern": r"\d"}), ended("42"), None
    )

    assert (score.value, score.explanation) == (1, r"The final text matches '\\d'.")


CONSTRAINTS = [
    {"name": "short", "check": {"kind": "jmespath", "expression": "length(text) < `20`"}},
    {"name": "polite", "check": {"kind": "contains", "text": "please"}, "weight": 3},
]


def test_constraints_score_by_their_weights_or_all_or_nothing() -> None:
    share = scorer("constraints", constraints=CONSTRAINTS)
    strict = scorer("constraints", constraints=CONSTRAINTS, needs_all=True)

    one = score_attempt(share, ended("Enter 42."), None)
    both = score_attempt(strict, ended("Please enter 42."), None)

    assert (one.value, one.explanation) == (0.25, "Not met: polite.")
    assert [part.value for part in one.parts] == [1, 0]
    assert score_attempt(strict, ended("Enter 42."), None).value == 0
    assert (both.value, both.explanation) == (1, "All constraints are met.")


def test_a_constraint_that_cannot_be_decided_leaves_the_attempt_unscored() -> None:
    broken = {"name": "count", "check": {"kind": "jmespath", "expression": "length(result)"}}

    score = score_attempt(
        scorer("constraints", constraints=[*CONSTRAINTS, broken]), ended("Please."), None
    )

    assert (score.value, score.explanation) == (None, "Not decided: count.")
    assert [part.value for part in score.parts] == [1, 1, None]
    assert "cannot be evaluated here" in score.parts[2].explanation


def test_scorers_that_could_not_score_are_refused() -> None:
    with pytest.raises(InvalidInputError, match="regular expression"):
        validate_scorer(scorer("check", check={"kind": "regex", "pattern": "("}))
    with pytest.raises(InvalidInputError, match="named 'short'"):
        validate_scorer(scorer("constraints", constraints=[CONSTRAINTS[0]] * 2))
    bad = {"name": "x", "check": {"kind": "jmespath", "expression": "a ="}}
    with pytest.raises(InvalidInputError, match="Write 'equal' as '=='"):
        validate_scorer(scorer("constraints", constraints=[bad]))
    validate_scorer(scorer("answer"))
    for wrong in ({"kind": "constraints", "constraints": []}, {"kind": "python", "code": "1"}):
        with pytest.raises(ValidationError):
            SCORERS.validate_python(wrong)
    too_long = score_attempt(scorer("equals"), ended("x"), "x" * 100_001)
    assert (too_long.value, "too long" in too_long.explanation) == (None, True)


@pytest.mark.parametrize("thought", ["<think>\nIs it 41?\n</think>\n\n", "Is it 41?</think>"])
@pytest.mark.parametrize("kind", ["equals", "answer", "number", "contains"])
def test_no_scorer_reads_thoughts(kind: str, thought: str) -> None:
    said = ended(f"{thought}42")

    assert score_attempt(scorer(kind), said, "42").value == 1
    assert score_attempt(scorer(kind), said, "41").value == 0


def test_thoughts_without_an_answer_are_no_answer() -> None:
    cut_off = ended("It may be 42.", "<think>Or is it 42")

    assert score_attempt(scorer("answer"), cut_off, "42").value == 0
    assert score_attempt(scorer("number"), cut_off, "42").value == 0
