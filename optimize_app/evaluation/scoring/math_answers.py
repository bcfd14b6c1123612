"""A scorer function for mathematics: expressions, LaTeX, equations, sets and intervals.

It is built on math-verify (Hugging Face), which reads mathematics with ANTLR and compares it with
SymPy. What models write can keep these busy for ever, so it only runs in the process of scorer
functions, with the limits there.
"""

import re
from typing import Any

from tapes_app.engine.tape.tape import Tape
from tapes_app.experiments.domain.checks import final_text
from tapes_app.tapes.domain.task_outcome import LOOKED_BACK, find_answer

_SHOWN = 200
_MARKED = re.compile(r"\$|\\\(|\\\[|\\boxed")
"""What tells where the mathematics in a text is."""

_COMMAND = re.compile(r"\\(?:(?:begin|end|text|mathrm)\{[^{}]*\}|[A-Za-z]+)")
_WORD = re.compile(r"[A-Za-z]{3,}")
_FUNCTIONS = ("arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "sin", "cos", "tan", "cot",
    "sec", "csc", "log", "exp", "max", "min", "lim", "ln", "pi", "infty")  # fmt: skip
_PLAIN_FUNCTION = re.compile(rf"(?<![\\A-Za-z])({'|'.join(_FUNCTIONS)})(?![A-Za-z])")
_PLAIN_ROOT = re.compile(r"(?<![\\A-Za-z])sqrt\(([^()]*)\)")
_BOLD = re.compile(r"\*\*(.*)\*\*", re.DOTALL)
_PLAIN_SET = re.compile(r"\{(.*)\}", re.DOTALL)
_NAMES = frozenset({*_FUNCTIONS, "sqrt"})


def prepare() -> None:
    """Load the library and its grammar, which takes longer than a comparison."""
    read_mathematics(r"\frac{1}{2}")


def compare_mathematically(tape: Tape, expected: str) -> Any:
    r"""The answer equals the expected one in mathematics: expressions, LaTeX, sets, intervals.

    `\frac{\sqrt{3}}{2}` is `sqrt(3)/2`, `x^2 + 2x + 1` is `(x + 1)^2`.
    """
    from math_verify import verify

    answer = find_answer(tape.steps[-LOOKED_BACK:]) or final_text(tape.steps)
    if not expected.strip():
        return _tell(None, "The example has no expected value; give it one.")
    wanted = read_mathematics(expected)
    if not wanted:
        return _tell(None, f"The expected answer {_short(expected)!r} is not mathematics.")
    given = read_mathematics(answer)
    if not given:
        return _tell(0, f"There is no mathematics in the answer {_short(answer)!r}.")
    is_equal = verify(wanted, given, timeout_seconds=None)
    verb = "equals" if is_equal else "does not equal"
    return _tell(int(is_equal), f"{_short(given[0])} {verb} {_short(wanted[0])}.")


def read_mathematics(text: str) -> list[Any]:
    """Return what a text states: as SymPy reads it, then as it is written; empty: nothing.

    In a text that marks its mathematics, as with `$`, and in prose, that is the last statement.
    Otherwise all of the text is one.
    """
    from math_verify import ExprExtractionConfig, LatexExtractionConfig, parse

    marked = text if _MARKED.search(text) or _is_prose(text) else f"${_as_latex(text.strip())}$"
    found: list[Any] = parse(
        marked, (LatexExtractionConfig(), ExprExtractionConfig()), parsing_timeout=None
    )
    return found


def _is_prose(text: str) -> bool:
    return any(word not in _NAMES for word in _WORD.findall(_COMMAND.sub("", text)))


def _as_latex(text: str) -> str:
    """Return an expression in the notation of programs as LaTeX."""
    if bold := _BOLD.fullmatch(text):
        text = bold[1]
    text = text.replace("**", "^").replace("*", r" \cdot ")
    text = _PLAIN_FUNCTION.sub(r"\\\1", _PLAIN_ROOT.sub(r"\\sqrt{\1}", text))
    elements = _PLAIN_SET.fullmatch(text)
    return rf"\{{{elements[1]}\}}" if elements else text


def _tell(value: int | None, explanation: str) -> dict[str, Any]:
    return {"value": value, "explanation": explanation}


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
