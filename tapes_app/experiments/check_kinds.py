"""Checks: what passes, as data; validated, described, and taken from an expected answer.

They come from the network. `checks` decides them.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Final, Literal, assert_never

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat

from tapes_app.engine.environment_state import check_state
from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.messages import canonical_json
from tapes_app.runs.conditions import LONGEST_CONDITION, compile_condition
from tapes_app.tapes.answer_match import read_number
from tapes_app.tapes.text_pattern import compile_pattern

MOST_CONSTRAINTS = 100
LONGEST_SHORT_ANSWER = 12
"""Words; a longer answer may be right in other words, which is for a person or a judge to say."""

NEXT_STEP: Final = "next_step"

_QUOTED = 60

Expression = Annotated[str, Field(min_length=1, max_length=LONGEST_CONDITION)]


class _Check(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class TextCheck(_Check):
    """The final text against a given one; blanks at the ends do not count."""

    kind: Literal["equals", "contains"]
    text: str = Field(min_length=1, max_length=100_000)
    ignores_case: bool = True


class NumberCheck(_Check):
    """The last number of the final text is the given one, or at most `within` away."""

    kind: Literal["number"] = "number"
    value: FiniteFloat
    within: Annotated[FiniteFloat, Field(ge=0)] = 0


class PatternCheck(_Check):
    """A regular expression that is found in the final text."""

    kind: Literal["regex"] = "regex"
    pattern: Expression


class ExpressionCheck(_Check):
    """A JMESPath expression over `{text, step, result, status, step_count, state}` that is true.

    `step` is the last step as JSON, `result` the tape's own result, `state` that of the
    environment. A number between 0 and 1 is a score.
    """

    kind: Literal["jmespath"] = "jmespath"
    expression: Expression


class NoErrorCheck(_Check):
    """No new step reports an error, and the run came to its own end."""

    kind: Literal["no_error"] = "no_error"


class StateCheck(_Check):
    """The environment is in a given state: what is named is so, and what is not does not count.

    In lists every element counts, in its order.
    """

    kind: Literal["state"] = "state"
    state: dict[str, Any] = Field(min_length=1)
    is_exact: bool = False
    """Nothing else may be in it."""


class NextStepCheck(_Check):
    """The next action is the recorded one: its kind, its tools and their arguments.

    A run that is asked this is stopped at its first action, before anything answers it. The score
    is a third for the kind, two for the tools too, and 1 for all of it.
    """

    kind: Literal["next_step"] = NEXT_STEP
    step_kind: str = Field(min_length=1, max_length=200)
    """`tool_calls`, or the kind of another action."""

    tools: tuple[str, ...] = Field(default=(), max_length=100)
    arguments: tuple[Any, ...] = Field(default=(), max_length=100)
    """Of each tool; of an action that calls none its fields, as one object."""


SingleCheck = Annotated[
    TextCheck | NumberCheck | PatternCheck | ExpressionCheck | NoErrorCheck | StateCheck,
    Field(discriminator="kind"),
]


class Constraint(_Check):
    """One named check of several."""

    name: str = Field(min_length=1, max_length=200)
    check: SingleCheck
    weight: Annotated[FiniteFloat, Field(gt=0)] = 1


class ConstraintsCheck(_Check):
    """Several checks that all have to hold; the score is the share that does, by weight."""

    kind: Literal["constraints"] = "constraints"
    constraints: tuple[Constraint, ...] = Field(min_length=1, max_length=MOST_CONSTRAINTS)


class Checkpoint(Constraint):
    """One named place on the way, or what has to be so at the end."""

    at_end: bool = False
    """Asked of the end of the run alone."""


class CheckpointsCheck(_Check):
    """Checkpoints that a run has to come to in their order; the score is the share, by weight.

    One is met where its check holds right after a new step: after the step that met the one
    before it, or that same step. One that is missed holds up none of those after it.
    """

    kind: Literal["checkpoints"] = "checkpoints"
    checkpoints: tuple[Checkpoint, ...] = Field(min_length=1, max_length=MOST_CONSTRAINTS)


Check = Annotated[
    TextCheck
    | NumberCheck
    | PatternCheck
    | ExpressionCheck
    | NoErrorCheck
    | StateCheck
    | ConstraintsCheck
    | CheckpointsCheck
    | NextStepCheck,
    Field(discriminator="kind"),
]


def check_for(expected: str) -> TextCheck | NumberCheck | None:
    """Return what passes by the expected answer: a number as one, few words sought.

    `None`: there is none, or it is prose.
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
        InvalidInputError: a pattern or an expression cannot be read, a state is too large, or two
            constraints have one name.
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
    """Refuse constraints of one name, and such as cannot be decided.

    Raises:
        InvalidInputError: which, and why.
    """
    if name := find_twice(constraint.name for constraint in constraints):
        raise InvalidInputError(f"Two of the checks are named {name!r}; rename one.")
    for constraint in constraints:
        validate_check(constraint.check)


def find_twice(texts: Iterable[str]) -> str:
    """Return a text that comes twice, the first by the alphabet; empty: none does."""
    counts = Counter(texts)
    return min((text for text, count in counts.items() if count > 1), default="")


def describe_check(check: Check) -> str:
    """Return in a sentence what passes."""
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
