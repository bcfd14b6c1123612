"""What a judge has to answer, and the step that such an answer becomes on its tape."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from tapes_app.engine.steps import StopAction

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


Verdict = ScoreVerdict | PairVerdict


def verdict_of(answer: JudgeAnswer | PairAnswer) -> Verdict:
    """Return the step that a judge's answer becomes."""
    if isinstance(answer, JudgeAnswer):
        return ScoreVerdict(score=answer.score, reason=answer.reason)
    return PairVerdict(better=answer.better, reason=answer.reason)


def answer_of(verdict: Verdict) -> JudgeAnswer | PairAnswer:
    """Return the answer that `verdict_of` makes this step of."""
    if isinstance(verdict, ScoreVerdict):
        return JudgeAnswer(score=verdict.score, reason=verdict.reason)
    return PairAnswer(better=verdict.better, reason=verdict.reason)
