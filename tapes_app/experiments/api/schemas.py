"""Run N: experiments, their branches, and what those say together."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import Field, model_validator

from tapes_app.experiments.services.request import AnyCheck, ExperimentRequest
from tapes_app.experiments.services.summary import ExperimentSummary
from tapes_app.experiments.store.experiments import Spending
from tapes_app.projects.api.bodies import In, Line, Out
from tapes_app.runs.request import Budget

Arm = Literal["original", "edited"]
BranchState = Literal[
    "queued", "running", "waiting", "paused", "succeeded", "failed", "cancelled", "out_of_budget"
]


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
    def _check_score(self) -> "BranchPatchIn":
        if self.score is not None and self.passed is None:
            raise ValueError("a score goes with 'passed'")
        return self


class BranchLabelIn(In):
    """`training_set` marks the best branch; `preference_pair` marks it against the worst."""

    name: Literal["training_set", "preference_pair"]
    best: int = Field(ge=0)
    worst: int | None = Field(default=None, ge=0)

    @model_validator(mode="after")
    def _check_worst(self) -> "BranchLabelIn":
        if (self.name == "preference_pair") != (self.worst is not None):
            raise ValueError("'worst' goes with 'preference_pair', and only with that")
        return self


class ExperimentRowOut(Out):
    """An experiment in a list."""

    id: UUID
    tape_id: UUID | None
    """The recorded tape that it is about; `null` for a re-run of many tapes."""

    batch_id: UUID | None
    """Of a re-run: where its branches are."""

    revision_id: UUID | None
    """The child that holds the edit."""

    owner: str
    name: str
    branch_count: int
    unfinished_count: int
    passed_count: int
    judged_count: int
    stopped_reason: str
    created_at: datetime


class BranchOut(Out):
    number: int
    tape_id: UUID
    is_deleted: bool
    is_pinned: bool
    job_id: UUID | None
    state: BranchState
    message: str
    """Why it failed or waits; empty otherwise."""

    status: str
    """How its main loop ended."""

    started_at: datetime | None
    finished_at: datetime | None
    arm: Arm
    kept_count: int
    """How many steps it began with."""

    recorded_count: int
    """How many leading steps of the recorded tape those stand for."""

    model_id: UUID | None
    model_name: str
    temperature: float | None
    tokens: int
    cost_micro_usd: int
    step_count: int
    """Steps that its runs added."""

    spark: str
    """A letter for each of them: t thought, a action, o observation, c control, m message
    within the team, e error."""

    last_kind: str
    outcome: str
    first_divergence: int | None
    """First new step that is not as recorded."""

    passed: bool | None
    score: float | None
    judged_as: Literal["", "checker", "judge", "person"]
    judged_by: str
    reason: str
    judge_call_id: UUID | None

    @model_validator(mode="before")
    @classmethod
    def _flatten(cls, shown: Any) -> Any:
        row = getattr(shown, "row", None)
        if row is None:
            return shown
        names = cls.model_fields.keys() & row.__slots__
        return {
            **{name: getattr(row, name) for name in names},
            "state": shown.state,
            "message": row.job_message,
            "status": row.job_status,
            "tokens": row.spent_tokens,
            "cost_micro_usd": row.spent_micro_usd,
        }


class ExperimentOut(Out):
    row: ExperimentRowOut
    request: dict[str, Any]
    check: AnyCheck | None
    budget: Budget
    branches: list[BranchOut]
    spent: Spending
    summary: ExperimentSummary

    @model_validator(mode="before")
    @classmethod
    def _open_request(cls, shown: Any) -> Any:
        request = getattr(shown, "request", None)
        if not isinstance(request, ExperimentRequest):
            return shown
        return {
            "row": shown.row,
            "request": request.model_dump(mode="json"),
            "check": request.check,
            "budget": request.budget,
            "branches": shown.branches,
            "spent": shown.spent,
            "summary": shown.summary,
        }
