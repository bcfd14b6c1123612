"""Scorers: an attempt beside what its example expects, or beside a list of constraints."""

from dataclasses import dataclass
from typing import Annotated, Literal, assert_never
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, ValidationError

from optimize_app.evaluation.scoring.functions import check_function
from tapes_app.engine.errors import InvalidInputError
from tapes_app.experiments.check_kinds import (
    MOST_CONSTRAINTS,
    Check,
    CheckpointsCheck,
    Constraint,
    ConstraintsCheck,
    NextStepCheck,
    NumberCheck,
    TextCheck,
    describe_check,
    validate_check,
    validate_constraints,
)
from tapes_app.experiments.checks import (
    PASS_SCORE,
    Ended,
    ScorePart,
    decide,
    decide_parts,
    final_text,
    tell_parts,
    weigh_parts,
)
from tapes_app.lint.linter import title_of
from tapes_app.lint.rules import LONGEST_RULE
from tapes_app.tapes.answer_match import compare_answers, read_number
from tapes_app.tapes.task_outcome import LOOKED_BACK, find_answer

_QUOTED = 60


class _Scorer(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class ExactScorer(_Scorer):
    """The final text is the expected one, contains it, or is another; case counts where told.

    Blanks at the ends do not count.
    """

    kind: Literal["equals", "contains", "differs"]
    ignores_case: bool = False


class AnswerScorer(_Scorer):
    """The answer is the expected one, told as outcomes are: numbers as such, lists by items."""

    kind: Literal["answer"] = "answer"
    takes_unclear_as_wrong: bool = False
    """Prose may hold the right answer in other words: it is not scored, or wrong as with GAIA."""


class NumberScorer(_Scorer):
    """The last number of the final text is the expected one, or at most `within` away."""

    kind: Literal["number"] = "number"
    within: Annotated[FiniteFloat, Field(ge=0)] = 0


class CheckScorer(_Scorer):
    """A check of Run N, the same for all examples: a pattern, an expression, no errors."""

    kind: Literal["check"] = "check"
    check: Check


class ConstraintScorer(_Scorer):
    """Several checks: the score is the share of them that hold, by weight, or all or nothing."""

    kind: Literal["constraints"] = "constraints"
    constraints: tuple[Constraint, ...] = Field(min_length=1, max_length=MOST_CONSTRAINTS)
    needs_all: bool = False


class JudgeScorer(_Scorer):
    """A model of the project gives each attempt a score by a rubric.

    It sees the task, what was done, the final answer, and what is expected where the example says.
    """

    kind: Literal["judge"] = "judge"
    model_id: UUID
    rubric: str = Field(min_length=1, max_length=20_000)
    pass_score: float = Field(default=0.5, ge=0, le=1)
    """An attempt passes with this score or more."""


class PairwiseScorer(_Scorer):
    """A model of the project says of each attempt whether it is better than the baseline's.

    It is asked about the two attempts at one task in both orders: 1 where it prefers the attempt
    both times, 0 where it prefers the baseline's. A verdict that turns with the order, or a tie,
    is 0.5 and neither passes nor fails.
    """

    kind: Literal["pairwise"] = "pairwise"
    model_id: UUID
    rubric: str = Field(min_length=1, max_length=20_000)
    """What makes one better than the other."""


class LintScorer(_Scorer):
    """The linter finds nothing in what was done: by one detector, or by one rule of the project."""

    kind: Literal["lint"] = "lint"
    detector: str = Field(min_length=1, max_length=200)
    """Name of a detector, or `rule:` and the name of a rule."""

    rule: str = Field(default="", max_length=LONGEST_RULE)
    """Text of the rule. Left out, it is that of the project, as it is when the scorer is kept."""


class FunctionScorer(_Scorer):
    """A Python function of a plugin, which runs in a process of its own, with limits."""

    kind: Literal["function"] = "function"
    name: str = Field(min_length=1, max_length=200)
    """As the plugin registered it."""


PlainScorer = ExactScorer | AnswerScorer | NumberScorer | CheckScorer | ConstraintScorer
"""Those that decide by the tape alone."""

UnjudgedScorer = PlainScorer | LintScorer | FunctionScorer
"""Those that decide without a model."""

JudgingScorer = JudgeScorer | PairwiseScorer
"""Those that ask a model."""

Scorer = Annotated[UnjudgedScorer | JudgingScorer, Field(discriminator="kind")]


@dataclass(frozen=True, slots=True)
class Score:
    value: float | None
    """From 0 to 1; `None`: it could not be told, which is never a zero."""

    explanation: str
    parts: tuple[ScorePart, ...] = ()


def describe_scorer(scorer: Scorer) -> str:
    """Return in a sentence what passes."""
    match scorer:
        case ExactScorer(kind="equals"):
            return "The final text is the expected answer."
        case ExactScorer(kind="contains"):
            return "The final text contains the expected answer."
        case ExactScorer():
            return "The final text is not the expected answer."
        case AnswerScorer():
            return "The answer is the expected one: numbers as numbers, lists by their items."
        case NumberScorer():
            margin = f" (within {scorer.within:g})" if scorer.within else ""
            return f"The last number is the expected one{margin}."
        case CheckScorer():
            return describe_check(scorer.check)
        case ConstraintScorer():
            names = ", ".join(constraint.name for constraint in scorer.constraints)
            return f"All constraints are met: {names}."
        case LintScorer():
            return f"The linter finds nothing by {title_of(scorer.detector)!r}."
        case FunctionScorer():
            return f"The function {scorer.name!r} gives {PASS_SCORE:g} or more."
        case JudgeScorer():
            return f"A judge gives {scorer.pass_score:g} or more by the rubric."
        case PairwiseScorer():
            return "A judge prefers it to the baseline's by the rubric, in both orders."
        case _:
            assert_never(scorer)


def has_passed(scorer: Scorer, value: float) -> bool:
    """Tell whether a score passes: of several constraints all have to hold."""
    match scorer:
        case JudgeScorer():
            return value >= scorer.pass_score
        case (
            ConstraintScorer()
            | CheckScorer(check=ConstraintsCheck() | CheckpointsCheck() | NextStepCheck())
        ):
            return value == 1
        case _:
            return value >= PASS_SCORE


def validate_scorer(scorer: Scorer) -> None:
    """Refuse a scorer that could not score anything.

    Raises:
        InvalidInputError: a pattern or an expression cannot be read, two constraints have
            one name, or no plugin has the function.
    """
    match scorer:
        case FunctionScorer():
            check_function(scorer.name)
        case CheckScorer():
            validate_check(scorer.check)
        case ConstraintScorer():
            validate_constraints(scorer.constraints)
        case ExactScorer() | AnswerScorer() | NumberScorer() | LintScorer():
            return
        case JudgeScorer() | PairwiseScorer():
            return
        case _:
            assert_never(scorer)


def score_attempt(scorer: PlainScorer, ended: Ended, expected: str | None) -> Score:
    """Return what an attempt that came to its end is worth.

    An attempt that broke off has no score: do not ask for one. What cannot be decided on this
    tape, or without an expected value, is not scored and says why.
    """
    match scorer:
        case CheckScorer():
            return _decide(scorer.check, ended)
        case ConstraintScorer():
            return _score_constraints(scorer, ended)
        case ExactScorer() | AnswerScorer() | NumberScorer():
            if expected is None or not expected.strip():
                return Score(None, "The example has no expected value; give it one.")
            return _score_expected(scorer, ended, expected)
        case _:
            assert_never(scorer)


def _score_expected(
    scorer: ExactScorer | AnswerScorer | NumberScorer, ended: Ended, expected: str
) -> Score:
    match scorer:
        case AnswerScorer():
            said = find_answer(ended.new_steps[-LOOKED_BACK:]) or final_text(ended.new_steps)
            return _compare_answers(scorer, said, expected)
        case NumberScorer():
            wanted = read_number(expected)
            if wanted is None:
                return Score(None, f"What is expected, {_short(expected)}, is no number.")
            return _decide(NumberCheck(value=wanted, within=scorer.within), ended)
        case ExactScorer():
            kind: Literal["equals", "contains"] = (
                "contains" if scorer.kind == "contains" else "equals"
            )
            try:
                check = TextCheck(kind=kind, text=expected, ignores_case=scorer.ignores_case)
            except ValidationError:
                return Score(
                    None, f"Its expected text of {len(expected):,} characters is too long."
                )
            return (
                _negate(_decide(check, ended))
                if scorer.kind == "differs"
                else (_decide(check, ended))
            )


def _negate(score: Score) -> Score:
    if score.value is None:
        return score
    said = "is not" if score.value == 0 else "is"
    return Score(1 - score.value, f"The final text {said} the one that must not come.")


def _compare_answers(scorer: AnswerScorer, said: str, expected: str) -> Score:
    if not said:
        return Score(0.0, f"There is no answer; {_short(expected)} is expected.")
    match compare_answers(expected, said):
        case "pass":
            return Score(1.0, f"The answer is {_short(expected)}.")
        case "fail":
            return Score(0.0, f"The answer is {_short(said)} and not {_short(expected)}.")
        case _ if scorer.takes_unclear_as_wrong:
            return Score(0.0, f"{_short(said)} is not just {_short(expected)}.")
        case _:
            return Score(None, f"Whether {_short(said)} says {_short(expected)} is for a judge.")


def _score_constraints(scorer: ConstraintScorer, ended: Ended) -> Score:
    parts = decide_parts(scorer.constraints, ended)
    value = weigh_parts(scorer.constraints, parts)
    if value is not None and scorer.needs_all:
        value = min(part.value for part in parts if part.value is not None)
    return Score(value, tell_parts(parts), parts)


def _decide(check: Check, ended: Ended) -> Score:
    try:
        verdict = decide(check, ended)
    except InvalidInputError as error:
        return Score(None, error.message)
    return Score(verdict.score, verdict.reason)


def _short(text: str) -> str:
    return repr(text if len(text) <= _QUOTED else f"{text[:_QUOTED]}…")
