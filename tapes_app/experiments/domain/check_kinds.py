"""Checks: conditions for passing, as data; validated, described, and derived from expected answers.

They come from the network. `checks` decides them.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Final, Literal, assert_never

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat

from tapes_app.engine.environment.state import check_state
from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.model.messages import canonical_json
from tapes_app.engine.tape.conditions import LONGEST_CONDITION, compile_condition
from tapes_app.engine.text_pattern import compile_pattern
from tapes_app.tapes.domain.answer_match import read_number

MOST_CONSTRAINTS = 100
LONGEST_SHORT_ANSWER = 12
"""In words; whether a longer answer in other words is right, only a person or judge can decide."""

NEXT_STEP: Final = "next_step"

_QUOTED = 60

Expression = Annotated[str, Field(min_length=1, max_length=LONGEST_CONDITION)]


class _Check(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class TextCheck(_Check):
    """Compares the final text with a given one, ignoring leading and trailing blanks."""

    kind: Literal["equals", "contains"]
    text: str = Field(min_length=1, max_length=100_000)
    ignores_case: bool = True


class NumberCheck(_Check):
    """The last number of the final text must be the given one, or at most `within` away."""

    kind: Literal["number"] = "number"
    value: FiniteFloat
    within: Annotated[FiniteFloat, Field(ge=0)] = 0


class PatternCheck(_Check):
    """A regular expression must match somewhere in the final text."""

    kind: Literal["regex"] = "regex"
    pattern: Expression


class ExpressionCheck(_Check):
    """A JMESPath expression over `{text, step, result, status, step_count, state}` must be true.

    `step` is the last step as JSON, `result` the tape's own result, `state` the environment's
    state. A number between 0 and 1 is a score.
    """

    kind: Literal["jmespath"] = "jmespath"
    expression: Expression


class NoErrorCheck(_Check):
    """No new step may report an error, and the run must have ended by itself."""

    kind: Literal["no_error"] = "no_error"


class StateCheck(_Check):
    """The environment must be in a given state: fields that the check does not name are ignored.

    In lists every element counts, in order.
    """

    kind: Literal["state"] = "state"
    state: dict[str, Any] = Field(min_length=1)
    is_exact: bool = False
    """Whether no other fields are allowed."""


class NextStepCheck(_Check):
    """The next action must be the recorded one: its kind, its tools and their arguments.

    A run with this check is stopped at its first action, before anything answers it. The score is
    one third if the kind is right, two thirds if the tools are right too, and 1 if everything is.
    """

    kind: Literal["next_step"] = NEXT_STEP
    step_kind: str = Field(min_length=1, max_length=200)
    """`tool_calls`, or the kind of another action."""

    tools: tuple[str, ...] = Field(default=(), max_length=100)
    arguments: tuple[Any, ...] = Field(default=(), max_length=100)
    """The arguments of each tool; for an action without tools, its fields as one object."""


PlainCheck = TextCheck | NumberCheck | PatternCheck | ExpressionCheck | NoErrorCheck | StateCheck
"""Checks of one condition on the end of a run."""

SingleCheck = Annotated[PlainCheck, Field(discriminator="kind")]


class Constraint(_Check):
    """One named check of several."""

    name: str = Field(min_length=1, max_length=200)
    check: SingleCheck
    weight: Annotated[FiniteFloat, Field(gt=0)] = 1


class ConstraintsCheck(_Check):
    """Several checks that all have to hold; the score is the weighted share that does."""

    kind: Literal["constraints"] = "constraints"
    constraints: tuple[Constraint, ...] = Field(min_length=1, max_length=MOST_CONSTRAINTS)


class Checkpoint(Constraint):
    """A named condition to be met on the way, or at the end."""

    at_end: bool = False
    """Whether it is only checked at the end of the run."""


class CheckpointsCheck(_Check):
    """Checkpoints that a run has to reach in order; the score is the weighted share it reaches.

    A checkpoint is met if its check holds right after a new step: after the step that met the
    previous checkpoint, or at that same step. A missed checkpoint does not hold up later ones.
    """

    kind: Literal["checkpoints"] = "checkpoints"
    checkpoints: tuple[Checkpoint, ...] = Field(min_length=1, max_length=MOST_CONSTRAINTS)


Check = Annotated[
    PlainCheck | ConstraintsCheck | CheckpointsCheck | NextStepCheck, Field(discriminator="kind")
]


def check_for(expected: str) -> TextCheck | NumberCheck | None:
    """Derive a check from the expected answer: equality for a number, a search for a few words.

    `None` if there is no expected answer, or it is prose.
    """
    text = expected.strip()
    if not text or len(text.split()) > LONGEST_SHORT_ANSWER:
        return None
    number = read_number(text)
    return (
        NumberCheck(value=number) if number is not None else TextCheck(kind="contains", text=text)
    )


def validate_check(check: Check) -> None:
    """Refuse a check that cannot be decided.

    Raises:
        InvalidInputError: a pattern or an expression cannot be parsed, a state is too large, or
            two constraints have the same name.
    """
    match check:
        case ConstraintsCheck():
            validate_constraints(check.constraints)
        case CheckpointsCheck():
            validate_constraints(check.checkpoints)
        case PatternCheck():
            compile_pattern(check.pattern)
        case ExpressionCheck():
            compile_condition(check.expression)
        case StateCheck():
            check_state(check.state)
        case TextCheck() | NumberCheck() | NoErrorCheck() | NextStepCheck():
            return
        case _:
            assert_never(check)


def validate_constraints(constraints: Sequence[Constraint]) -> None:
    """Refuse constraints with the same name, and those that cannot be decided.

    Raises:
        InvalidInputError: a constraint is refused; the message shows which, and why.
    """
    if name := find_twice(constraint.name for constraint in constraints):
        raise InvalidInputError(f"Two of the checks are named {name!r}; rename one.")
    for constraint in constraints:
        validate_check(constraint.check)


def find_twice(texts: Iterable[str]) -> str:
    """Return the alphabetically first text that occurs twice; empty if none does."""
    counts = Counter(texts)
    return min((text for text, count in counts.items() if count > 1), default="")


def describe_check(check: Check) -> str:
    """Return a sentence that describes what passes."""
    match check:
        case TextCheck() | PatternCheck():
            return _describe(check)
        case NumberCheck():
            margin = f" (within {check.within:g})" if check.within else ""
            return f"The last number is {check.value:g}{margin}."
        case ExpressionCheck():
            return f"{quote(check.expression)} is true."
        case NoErrorCheck():
            return "No new step reports an error."
        case StateCheck():
            word = "is" if check.is_exact else "has"
            return f"The environment's state {word} {quote(canonical_json(check.state))}."
        case ConstraintsCheck():
            names = ", ".join(constraint.name for constraint in check.constraints)
            return f"All constraints are met: {names}."
        case CheckpointsCheck():
            names = ", ".join(checkpoint.name for checkpoint in check.checkpoints)
            return f"All checkpoints are met in order: {names}."
        case NextStepCheck():
            named = ", ".join(check.tools) or check.step_kind
            return f"The next action is {quote(named)}, as recorded."
        case _:
            assert_never(check)


def _describe(check: TextCheck | PatternCheck) -> str:
    match check:
        case TextCheck(kind="equals"):
            return f"The final text equals {quote(check.text)}."
        case TextCheck():
            return f"The final text contains {quote(check.text)}."
        case PatternCheck():
            return f"The final text matches {quote(check.pattern)}."


def quote(text: str) -> str:
    """Return the beginning of a text, in quotes."""
    return repr(text if len(text) <= _QUOTED else f"{text[:_QUOTED]}…")
