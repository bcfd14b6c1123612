"""Run N: experiments, their branches, and what those say together."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from tapes_app.experiments.services.request import AnyCheck, ExperimentRequest
from tapes_app.projects.api.bodies import In, Line
from tapes_app.runs.request import Budget


class ExperimentIn(ExperimentRequest):
    """What Run N is asked for: every combination of arm, step, model and temperature."""

    name: Line = Field(default="", max_length=300)


class ExperimentRetryIn(In):
    """Run again what failed, was stopped or ran out of budget."""

    budget: Budget | None = None
    """In place of the old one."""


class ExperimentCheckIn(In):
    check: AnyCheck | None
    """Judges the branches again; `null` forgets what checks and judges said."""


class BranchPatchIn(In):
    """What a person says of a branch; what is left out stays."""

    is_pinned: bool | None = None
    passed: bool | None = None
    """`null` takes the judgment back."""

    score: Annotated[float, Field(ge=0, le=1)] | None = None

    @model_validator(mode="after")
    def _check_score(self) -> Self:
        if self.score is not None and self.passed is None:
            raise ValueError("a score goes with 'passed'")
        return self


class BranchLabelIn(In):
    """`training_set` marks the best branch; `preference_pair` marks it against the worst."""

    name: Literal["training_set", "preference_pair"]
    best: int = Field(ge=0)
    worst: int | None = Field(default=None, ge=0)

    @model_validator(mode="after")
    def _check_worst(self) -> Self:
        if (self.name == "preference_pair") != (self.worst is not None):
            raise ValueError("'worst' goes with 'preference_pair', and only with that")
        return self
