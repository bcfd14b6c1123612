"""Answers that are formulas: what is equal in mathematics, and what is not mathematics at all."""

import pytest

from optimize_app.evaluation.scoring.function_runs import FunctionRuns
from optimize_app.evaluation.scoring.math_answers import compare_mathematically
from tapes_app.engine.tape.dialog_steps import AssistantStep
from tapes_app.engine.tape.tape import Tape


def score(expected: str, answer: str) -> float | None:
    value: float | None = compare_mathematically(said(answer), expected)["value"]
    return value


def said(answer: str) -> Tape:
    return Tape(steps=(AssistantStep(content=answer),))


@pytest.mark.parametrize(
    ("expected", "answer"),
    [
        (r"\frac{1}{2}", "0.5"),
        (r"\frac12", "1/2"),
        ("x^2+2x+1", "(x+1)^2"),
        ("2*x**2", "2x^2"),
        (r"\frac{\sqrt{3}}{2}", "sqrt(3)/2"),
        (r"\boxed{\frac{\sqrt{3}}{2}}", r"So the answer is $\sqrt{3}/2$."),
        ("1/2", r"First $2 + 2 = 4$, and then \boxed{\frac{1}{2}}."),
        (r"2\sqrt{2}", "sqrt(8)"),
        (r"\sin^2 x + \cos^2 x", "1"),
        ("e^x", "exp(x)"),
        (r"\{1, 2, 3\}", "{3, 2, 1}"),
        ("[0, 1)", "$[0, 1)$"),
        ("x > 3", "$x>3$"),
        ("x = 5", "5"),
        ("3 + 4i", "4i + 3"),
        ("10!", "3628800"),
        (r"\begin{pmatrix}1 & 2\\3 & 4\end{pmatrix}", r"\begin{pmatrix}1&2\\3&4\end{pmatrix}"),
        ("12", "**12**"),
        ("42", "<think>It is 41.</think>The answer is $42$."),
    ],
)
def test_what_means_the_same_passes(expected: str, answer: str) -> None:
    assert score(expected, answer) == 1


@pytest.mark.parametrize(
    ("expected", "answer"),
    [
        ("2/3", "-2/3"),
        ("3/5", "3.5"),
        ("2x", "x"),
        ("[0, 1)", "(0, 1)"),
        ("(1, 2)", "(2, 1)"),
        ("x > 3", "x < 3"),
        (r"\sqrt{2}", "1.414"),
        ("3", "I do not know."),
        ("3", ""),
    ],
)
def test_what_means_something_else_or_nothing_fails(expected: str, answer: str) -> None:
    assert score(expected, answer) == 0


@pytest.mark.parametrize("expected", ["", "hello there", "Monday"])
def test_an_expected_answer_that_is_no_mathematics_decides_nothing(expected: str) -> None:
    assert score(expected, "1") is None


def test_it_is_a_scorer_function_that_comes_with_the_studio() -> None:
    with FunctionRuns("math") as runs:
        assert runs.ask(said("(x+1)^2"), "x^2+2x+1") == (1, "(x + 1)**2 equals x**2 + 2*x + 1.")
        assert runs.ask(said("__import__('os').system('true')"), "1")[0] == 0
