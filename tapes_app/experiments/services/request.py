"""What Run N is asked for, and the branches that follow from it. Decided here, done elsewhere."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Annotated, Any, Literal, Protocol, Self
from uuid import UUID

from pydantic import Field, field_validator, model_validator

from tapes_app.editing.fixes import FIRST_FIX, FIXES, Fix
from tapes_app.engine.errors import InvalidInputError
from tapes_app.experiments.check_kinds import (
    ExpressionCheck,
    NoErrorCheck,
    NumberCheck,
    PatternCheck,
    StateCheck,
    TextCheck,
)
from tapes_app.experiments.store.experiments import Arm, EditedArm, asks_next_step
from tapes_app.runs.request import (
    MAX_TURNS,
    Budget,
    Part,
    RunRequest,
    ToolPolicies,
    Until,
)

MAX_BRANCHES = 200
"""More is a sweep over tasks, not a question to one tape."""


class JudgeCheck(Part):
    """A model of the project gives each branch a score by a rubric."""

    kind: Literal["judge"] = "judge"
    model_id: UUID
    rubric: str = Field(min_length=1, max_length=20_000)
    pass_score: float = Field(default=0.5, ge=0, le=1)
    """A branch passes with this score or more."""


AnyCheck = Annotated[
    TextCheck
    | NumberCheck
    | PatternCheck
    | ExpressionCheck
    | NoErrorCheck
    | StateCheck
    | JudgeCheck,
    Field(discriminator="kind"),
]

Temperature = Annotated[float, Field(ge=0, le=2)]


class ExperimentRequest(Part):
    """Every combination of arm, step, model and temperature is run `repeats` times."""

    agent_version_id: UUID
    name: str = Field(default="", max_length=300)
    arms: tuple[Arm, ...] = Field(default=("original",), min_length=1, max_length=1 + len(FIXES))
    """`original`: the tape as recorded. A letter: as that fix of the person changes it.

    `edited` is the first fix.
    """

    at: tuple[Annotated[int, Field(ge=0)], ...] | None = Field(
        default=None, min_length=1, max_length=MAX_BRANCHES
    )
    """How many leading steps of the recorded tape to keep; each number is one place to run from.

    Left out, the original continues from where the edit stands, or from the tape's end.
    """

    model_ids: tuple[UUID | None, ...] = Field(default=(None,), min_length=1, max_length=50)
    """`None` = what the agent names."""

    temperatures: tuple[Temperature | None, ...] = Field(
        default=(None,), min_length=1, max_length=50
    )
    """`None` = what the agent or the model says."""

    parameters: dict[str, Any] = Field(default_factory=dict)
    """Sent to every LLM of the agent, over its own."""

    repeats: int = Field(default=5, ge=1, le=MAX_BRANCHES)
    tools: ToolPolicies = ToolPolicies()
    until: Until = Until()
    max_turns: int = Field(default=MAX_TURNS, ge=1, le=1_000)
    budget: Budget = Budget()
    """Of the whole experiment: when it is used up, everything stops."""

    concurrency: int | None = Field(default=None, ge=1, le=MAX_BRANCHES)
    """How many of its runs may be at work at once; `None`: as many as the workers take."""

    check: AnyCheck | None = None
    """What passes; `None` = a person says so."""

    @field_validator("arms", "at", "model_ids", "temperatures")
    @classmethod
    def _check_distinct(cls, values: tuple[Any, ...] | None) -> tuple[Any, ...] | None:
        if values is not None and len(set(values)) < len(values):
            raise InvalidInputError("List each arm, step, model and temperature only once.")
        return values

    @model_validator(mode="after")
    def _check_plan(self) -> Self:
        if self.edited_arms and self.at is not None:
            raise InvalidInputError(
                "With the edit, branches start at the edited step; leave out the steps, or run "
                "only the recorded tape.",
                field="at",
            )
        if len({fix_of(arm) for arm in self.edited_arms}) < len(self.edited_arms):
            raise InvalidInputError(
                f"“edited” is fix {FIRST_FIX}; list it once, by either name.", field="arms"
            )
        if self.branch_count > MAX_BRANCHES:
            raise InvalidInputError(
                f"That would start {self.branch_count:,} runs; the limit is {MAX_BRANCHES} at "
                "once. Choose fewer repeats, models, temperatures or steps.",
                run_count=self.branch_count,
            )
        return self

    @property
    def edited_arms(self) -> tuple[EditedArm, ...]:
        return tuple(arm for arm in self.arms if arm != "original")

    @property
    def branch_count(self) -> int:
        places = len(self.arms) if self.at is None else len(self.at)
        return places * len(self.model_ids) * len(self.temperatures) * self.repeats

    def run_request(self, branch: "Condition", branch_id: UUID) -> RunRequest:
        """Return what the run of one branch is asked to do.

        The budget is the experiment's: its seconds bound each run by itself too, so that a
        model that never answers cannot outlast them.
        """
        temperature = {} if branch.temperature is None else {"temperature": branch.temperature}
        return RunRequest(
            agent_version_id=self.agent_version_id,
            model_id=branch.model_id,
            parameters={**self.parameters, **temperature},
            tools=self.tools,
            until=Until(kind="next_action") if branch.asks_next_step else self.until,
            budget=Budget(seconds=self.budget.seconds),
            max_turns=self.max_turns,
            branch_id=branch_id,
        )


def fix_of(arm: EditedArm) -> Fix:
    """Return which of the person's drafts an arm runs."""
    return FIRST_FIX if arm == "edited" else arm


class Condition(Protocol):
    """Under what a branch is run: any row that has these columns."""

    @property
    def model_id(self) -> UUID | None: ...
    @property
    def temperature(self) -> float | None: ...
    @property
    def asks_next_step(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class BranchPoint:
    """Where branches begin: how many steps of a tape they keep.

    `recorded_count`: what those are on the recorded tape, which the edited one is not.
    `pass_check`: what passes there, in place of the experiment's check.
    """

    tape_id: UUID
    arm: Arm
    kept_count: int
    recorded_count: int
    pass_check: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class PlannedBranch:
    place: BranchPoint
    model_id: UUID | None
    temperature: float | None

    @property
    def asks_next_step(self) -> bool:
        """Whether its run is over at the first action."""
        return asks_next_step(self.place.pass_check)


def plan_branches(request: ExperimentRequest, places: Sequence[BranchPoint]) -> list[PlannedBranch]:
    """Return the branches in the order in which they are run.

    All conditions once before any a second time: a budget that stops early leaves every
    condition with about as many results.
    """
    conditions = product(places, request.model_ids, request.temperatures)
    return [PlannedBranch(*condition) for condition in conditions] * request.repeats
