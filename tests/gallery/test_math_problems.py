"""Word problems: what their texts say is their program, and train knows nothing of test."""

import re
from itertools import combinations
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapes_app.gallery.math.problems import Problem, apply_operation, make_problems
from tapes_app.gallery.math.sentences import (
    FORMS,
    Part,
    ProblemSplit,
    find_operation,
    split_sentences,
)

SPLITS = st.sampled_from(get_args(ProblemSplit))
_COUNTED = re.compile(r"How many (\w+)")


def numbers_of(problem: Problem) -> tuple[int, ...]:
    return (problem.first, *(calculation.number for calculation in problem.program))


def counted_in(problem: Problem) -> str:
    found = _COUNTED.search(problem.text)
    assert found is not None
    return found[1]


def as_pattern(form: str) -> re.Pattern[str]:
    """Return what any filling of a form matches."""
    return re.compile(re.sub(r"\\{\w+\\}", r"\\w+", re.escape(form)))


@given(split=SPLITS, seed=st.integers(0, 10_000))
@settings(max_examples=40, deadline=None)
def test_the_program_gives_the_answer_by_whole_numbers(split: ProblemSplit, seed: int) -> None:
    for problem in make_problems(split, 5, seed):
        total: float = problem.first
        for calculation in problem.program:
            total = apply_operation(calculation.operation, total, calculation.number)
            assert total == int(total) >= 1

        assert total == problem.answer
        assert 1 <= len(problem.program) <= 3


@given(split=SPLITS, seed=st.integers(0, 10_000))
@settings(max_examples=40, deadline=None)
def test_the_text_says_what_the_program_does(split: ProblemSplit, seed: int) -> None:
    for problem in make_problems(split, 5, seed):
        sentences = split_sentences(problem.text)
        asked = [find_operation(sentence) for sentence in sentences]

        assert " ".join(sentences) == problem.text
        assert [operation for operation in asked if operation] == [
            *(calculation.operation for calculation in problem.program),
            "answer",
        ]
        assert tuple(map(int, re.findall(r"\d+", problem.text))) == numbers_of(problem)
        assert len(set(sentences)) == len(sentences)


@given(split=SPLITS, seed=st.integers(0, 10_000), count=st.integers(0, 8))
@settings(max_examples=20, deadline=None)
def test_a_seed_always_makes_the_same_problems(split: ProblemSplit, seed: int, count: int) -> None:
    made = make_problems(split, count, seed)

    assert made == make_problems(split, count, seed)
    assert made == make_problems(split, count + 3, seed)[:count]
    assert len({problem.text for problem in made}) == count


@pytest.mark.parametrize("split", ["train", "validation"])
def test_no_word_or_number_list_of_a_test_problem_is_in_another_split(split: ProblemSplit) -> None:
    others, test = make_problems(split, 600, 1), make_problems("test", 300, 2)

    assert not {*map(numbers_of, others)} & {*map(numbers_of, test)}
    assert not {*map(counted_in, others)} & {*map(counted_in, test)}


@pytest.mark.parametrize(("split", "other"), [*combinations(get_args(ProblemSplit), 2)])
def test_no_form_of_a_sentence_is_in_two_splits(split: ProblemSplit, other: ProblemSplit) -> None:
    kept_out = [as_pattern(form) for forms in FORMS[other].values() for form in forms]

    sentences = [
        one for problem in make_problems(split, 600, 1) for one in split_sentences(problem.text)
    ]

    assert not [sentence for sentence in sentences for form in kept_out if form.fullmatch(sentence)]


def test_hardly_a_sentence_of_train_problems_comes_twice_but_for_its_names() -> None:
    problems = make_problems("train", 300, 3)

    sentences = [one for problem in problems for one in split_sentences(problem.text)]
    shapes = {re.sub(r"\d+", "0", sentence) for sentence in sentences}

    assert len(shapes) > 0.9 * len(sentences)


def test_there_are_enough_forms_of_sentences() -> None:
    operations: tuple[Part, ...] = ("add", "subtract", "multiply", "each", "divide")

    counts = [sum(len(parts[part]) for part in operations) for parts in FORMS.values()]

    assert all(count >= least for count, least in zip(counts, [30, 14, 14], strict=True))


@pytest.mark.parametrize("text", ["", "It rains", "Ada has 3 apples.", "7" * 5_000])
def test_what_is_no_form_asks_for_nothing(text: str) -> None:
    assert find_operation(text) is None
