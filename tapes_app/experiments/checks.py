"""Checks: whether what an agent came to is what was wanted, decided without a model.

A check is data from the network. So nothing in it is run: a pattern takes time as its text is
long, an expression is JMESPath, which has no loops and no side effects.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, assert_never

from jmespath.exceptions import JMESPathError
from pydantic import BaseModel, ConfigDict, Field

from tapes_app.engine.error_steps import is_error_step
from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.steps import Step, family_of
from tapes_app.engine.tape import Tape
from tapes_app.runs.conditions import LONGEST_CONDITION, compile_condition
from tapes_app.tapes.text_pattern import compile_pattern

PASS_SCORE = 0.5
"""A number between 0 and 1 passes from here on."""

_MAX_SEARCHED = 1_000_000
_QUOTED = 60
_SAID_IN = ("content", "text", "answer", "result", "message", "reasoning", "task", "query")

Expression = Annotated[str, Field(min_length=1, max_length=LONGEST_CONDITION)]


class _Check(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class TextCheck(_Check):
    """The final text against a given one; blanks at the ends do not count."""

    kind: Literal["equals", "contains"]
    text: str = Field(min_length=1, max_length=100_000)
    ignores_case: bool = True


class PatternCheck(_Check):
    """A regular expression that is found in the final text."""

    kind: Literal["regex"] = "regex"
    pattern: Expression


class ExpressionCheck(_Check):
    """A JMESPath expression over `{text, step, result, status, step_count}` that is true.

    `step` is the last step as JSON, `result` the tape's own result. A number between 0 and 1
    is a score.
    """

    kind: Literal["jmespath"] = "jmespath"
    expression: Expression


class NoErrorCheck(_Check):
    """No new step reports an error, and the run came to its own end."""

    kind: Literal["no_error"] = "no_error"


Check = Annotated[
    TextCheck | PatternCheck | ExpressionCheck | NoErrorCheck, Field(discriminator="kind")
]


@dataclass(frozen=True, slots=True)
class Ended:
    """What a run came to: the whole tape, how many of its steps are new, and how it ended."""

    tape: Tape
    kept_count: int
    status: str

    @property
    def new_steps(self) -> Sequence[Step]:
        return self.tape.steps[self.kept_count :]


@dataclass(frozen=True, slots=True)
class Verdict:
    passed: bool
    score: float
    reason: str


def validate_check(check: Check) -> None:
    """Refuse a check that cannot be decided.

    Raises:
        InvalidInputError: its pattern or expression cannot be read.
    """
    match check:
        case PatternCheck():
            compile_pattern(check.pattern)
        case ExpressionCheck():
            compile_condition(check.expression)
        case TextCheck() | NoErrorCheck():
            return
        case _:
            assert_never(check)


def decide(check: Check, ended: Ended) -> Verdict:
    """Return whether a run passes.

    Raises:
        InvalidInputError: the check cannot be decided on this tape.
    """
    match check:
        case TextCheck():
            said = final_text(ended.new_steps)
            return _verdict(_describe(check), holds=_compare(check, said))
        case PatternCheck():
            said = final_text(ended.new_steps)
            return _verdict(
                _describe(check), holds=compile_pattern(check.pattern).is_in(said[:_MAX_SEARCHED])
            )
        case ExpressionCheck():
            return _evaluate(check.expression, ended)
        case NoErrorCheck():
            return _look_for_errors(ended)
        case _:
            assert_never(check)


def final_text(steps: Sequence[Step]) -> str:
    """Return the last thing that was said: by the agent where it said anything."""
    spoken = [step for step in steps if family_of(step) != "control"]
    by_agent = [step for step in spoken if family_of(step) in {"action", "thought"}]
    for step in (*reversed(by_agent), *reversed(spoken)):
        text = said_in(step)
        if text:
            return text
    return ""


def said_in(step: Step) -> str:
    """Return the words of a step: what it says, or the first text among its data."""
    data = {key: value for key, value in step.to_json().items() if key not in {"kind", "metadata"}}
    for name in _SAID_IN:
        value = data.get(name)
        if isinstance(value, str) and value.strip():
            return value.strip()
    texts = [value for value in data.values() if isinstance(value, str) and value.strip()]
    return texts[0].strip() if texts else ""


def _verdict(claim: str, *, holds: bool) -> Verdict:
    reason = claim if holds else f"Not true: {claim[0].lower()}{claim[1:]}"
    return Verdict(holds, float(holds), reason)


def _describe(check: TextCheck | PatternCheck) -> str:
    match check:
        case TextCheck(kind="equals"):
            return f"The final text equals {_short(check.text)}."
        case TextCheck():
            return f"The final text contains {_short(check.text)}."
        case PatternCheck():
            return f"The final text matches {_short(check.pattern)}."


def _short(text: str) -> str:
    return repr(text if len(text) <= _QUOTED else f"{text[:_QUOTED]}…")


def _compare(check: TextCheck, said: str) -> bool:
    wanted = check.text.strip()
    if check.ignores_case:
        wanted, said = wanted.casefold(), said.casefold()
    return wanted == said if check.kind == "equals" else wanted in said


def _evaluate(expression: str, ended: Ended) -> Verdict:
    steps = ended.new_steps
    data = {
        "text": final_text(steps),
        "step": steps[-1].to_json() if steps else None,
        "result": ended.tape.metadata.result,
        "status": ended.status,
        "step_count": len(ended.tape),
    }
    try:
        found = compile_condition(expression).search(data)
    except (JMESPathError, ValueError, TypeError, ArithmeticError, RecursionError) as error:
        raise InvalidInputError(
            f"The expression {_short(expression)} cannot be evaluated here: {error}.",
            expression=expression[:200],
        ) from error
    reason = f"{expression} is {str(found)[:200]}."
    if isinstance(found, int | float) and not isinstance(found, bool):
        score = min(1.0, max(0.0, float(found)))
        return Verdict(score >= PASS_SCORE, score, reason)
    return Verdict(bool(found), float(bool(found)), reason)


def _look_for_errors(ended: Ended) -> Verdict:
    for position, step in enumerate(ended.new_steps, start=ended.kept_count):
        if is_error_step(step.to_json()):
            return Verdict(passed=False, score=0.0, reason=f"Step {position} reports an error.")
    if ended.status == "loop_limit":
        return Verdict(passed=False, score=0.0, reason="It reached the turn limit.")
    return Verdict(passed=True, score=1.0, reason="No new step reports an error.")
