"""The forms of a judge's answers, and the steps that such answers become on its tape."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from tapes_app.engine.tape.steps import StopAction

Better = Literal["first", "second", "tie"]


class JudgeAnswer(BaseModel):
    """What a judge has to answer."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    score: float = Field(ge=0, le=1, allow_inf_nan=False)
    reason: str = Field(max_length=20_000)


class PairAnswer(BaseModel):
    """What a judge of two has to answer."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    better: Better
    reason: str = Field(max_length=20_000)


class ConstraintAnswer(BaseModel):
    """What a judge of one constraint has to answer."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    holds: bool
    reason: str = Field(max_length=20_000)


class ScoreVerdict(StopAction):
    """What a judge gives a piece of work."""

    kind: Literal["judge_score"] = "judge_score"
    score: float
    """From 0 to 1."""

    reason: str


class PairVerdict(StopAction):
    """Which of two pieces of work a judge prefers."""

    kind: Literal["judge_preference"] = "judge_preference"
    better: Better
    reason: str


class ConstraintVerdict(StopAction):
    """Whether one constraint holds, as a judge sees it."""

    kind: Literal["judge_constraint"] = "judge_constraint"
    holds: bool
    reason: str


AnyAnswer = JudgeAnswer | PairAnswer | ConstraintAnswer
Verdict = ScoreVerdict | PairVerdict | ConstraintVerdict


def verdict_of(answer: AnyAnswer) -> Verdict:
    """Return the step that a judge's answer becomes."""
    match answer:
        case JudgeAnswer():
            return ScoreVerdict(score=answer.score, reason=answer.reason)
        case PairAnswer():
            return PairVerdict(better=answer.better, reason=answer.reason)
        case ConstraintAnswer():
            return ConstraintVerdict(holds=answer.holds, reason=answer.reason)


def answer_of(verdict: Verdict) -> AnyAnswer:
    """Return the answer from which `verdict_of` makes this step."""
    match verdict:
        case ScoreVerdict():
            return JudgeAnswer(score=verdict.score, reason=verdict.reason)
        case PairVerdict():
            return PairAnswer(better=verdict.better, reason=verdict.reason)
        case ConstraintVerdict():
            return ConstraintAnswer(holds=verdict.holds, reason=verdict.reason)
