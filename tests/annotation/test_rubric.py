"""Rubrics: what an answer may say, and the score that comes of it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from tapes_app.annotation.domain.rubric import (
    AnswerError,
    Rubric,
    read_answer,
    same_verdict,
    score_answer,
)
from tapes_app.annotation.domain.rubric_presets import PRESETS

ITEMS: list[dict[str, Any]] = [
    {"kind": "binary", "key": "good", "question": "Good?"},
    {"kind": "scale", "key": "clear", "question": "How clear?", "minimum": 1, "maximum": 5},
    {"kind": "choice", "key": "tone", "question": "Tone?", "options": ["kind", "curt"],
     "is_required": False},
    {"kind": "text", "key": "why", "question": "Why?", "is_required": False},
]  # fmt: skip


def build(rule: str = "none", item: str = "", items: list[dict[str, Any]] | None = None) -> Rubric:
    score = {"rule": rule, "item": item}
    return Rubric.model_validate({"items": ITEMS if items is None else items, "score": score})


def test_an_answer_is_read_in_the_rubrics_order_without_what_was_left_empty() -> None:
    answer = read_answer(build(), {"why": "  ", "tone": None, "clear": 4.0, "good": False})

    assert list(answer.items()) == [("good", False), ("clear", 4)]


@pytest.mark.parametrize(
    ("given", "item", "words"),
    [
        ({"clear": 3}, "good", "is required"),
        ({"good": 1, "clear": 3}, "good", "true or false"),
        ({"good": True, "clear": 6}, "clear", "from 1 to 5"),
        ({"good": True, "clear": 2.5}, "clear", "whole number"),
        ({"good": True, "clear": True}, "clear", "whole number"),
        ({"good": True, "clear": 3, "tone": "loud"}, "tone", "'kind', 'curt'"),
        ({"good": True, "clear": 3, "other": 1}, "other", "no item"),
        ({"good": True, "clear": float("nan")}, "clear", "whole number"),
    ],
)
def test_what_does_not_fit_is_refused_at_its_item(
    given: dict[str, Any], item: str, words: str
) -> None:
    with pytest.raises(AnswerError, match=words) as caught:
        read_answer(build(), given)

    assert caught.value.details["item"] == item


@pytest.mark.parametrize(
    ("rule", "item", "answer", "score"),
    [
        ("all", "", {"good": True, "clear": 1}, 1.0),
        ("all", "", {"good": False, "clear": 5}, 0.0),
        ("mean", "", {"good": True, "clear": 3}, 0.75),
        ("sum", "", {"good": True, "clear": 3}, 4.0),
        ("item", "clear", {"good": True, "clear": 3}, 3.0),
        ("none", "", {"good": True, "clear": 3}, None),
    ],
)
def test_the_score_follows_its_rule(
    rule: str, item: str, answer: dict[str, Any], score: float | None
) -> None:
    assert score_answer(build(rule, item), answer) == score


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"items": []}, "at least 1"),
        ({"items": [ITEMS[0], ITEMS[0]]}, "two items share the key 'good'"),
        ({"items": [ITEMS[3]], "score": {"rule": "all"}}, "needs a binary item"),
        ({"items": [ITEMS[3]], "score": {"rule": "mean"}}, "needs a binary or scale item"),
        ({"items": ITEMS, "score": {"rule": "item", "item": "why"}}, "not a binary or scale item"),
        ({"items": [{**ITEMS[1], "maximum": 1}]}, "from 1 to 1"),
        ({"items": [{**ITEMS[2], "options": ["a", "a"]}]}, "two options are identical"),
        ({"items": [{**ITEMS[0], "key": "Not a key"}]}, "key"),
    ],
)
def test_a_rubric_that_cannot_work_is_refused(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        Rubric.model_validate(changes)


marks = st.fixed_dictionaries({item.key: st.booleans() for item in PRESETS["GREADTH"].items})


@given(marks)
def test_greadth_is_one_only_if_all_six_are(answer: dict[str, bool]) -> None:
    rubric = PRESETS["GREADTH"]

    score = score_answer(rubric, read_answer(rubric, answer))

    assert len(rubric.items) == 6
    assert score == (1.0 if all(answer.values()) else 0.0)


def test_answers_are_the_same_by_their_score_or_by_all_but_their_texts() -> None:
    scored, plain = build("all"), build()
    one = {"good": True, "clear": 1, "why": "short"}

    assert same_verdict(scored, one, {"good": True, "clear": 5})
    assert same_verdict(plain, one, {"good": True, "clear": 1, "why": "long"})
    assert not same_verdict(plain, one, {"good": True, "clear": 5})
