"""The request for Run N, and the branches that follow from it. Planned here, executed elsewhere."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Annotated, Any, Literal, Protocol, Self
from uuid import UUID

from pydantic import Field, field_validator, model_validator

from tapes_app.editing.domain.rows import FIRST_FIX, FIXES, Fix
from tapes_app.engine.errors import InvalidInputError
from tapes_app.experiments.domain.check_kinds import PlainCheck
from tapes_app.experiments.store.experiments import Arm, EditedArm, asks_next_step
from tapes_app.runs.domain.request import MAX_TURNS, Budget, Part, RunRequest, ToolPolicies, Until

MAX_BRANCHES = 200
"""More than this is a sweep over tasks, not a question about one tape."""


class JudgeCheck(Part):
    """A model of the project gives each branch a score by a rubric."""

    kind: Literal["judge"] = "judge"
    model_id: UUID
    rubric: str = Field(min_length=1, max_length=20_000)
    pass_score: float = Field(default=0.5, ge=0, le=1)
    """A branch passes with this score or a higher one."""


AnyCheck = Annotated[PlainCheck | JudgeCheck, Field(discriminator="kind")]

Temperature = Annotated[float, Field(ge=0, le=2)]


class ExperimentRequest(Part):
    """Every combination of arm, step, model and temperature is run `repeats` times."""

    agent_version_id: UUID
    name: str = Field(default="", max_length=300)
    arms: tuple[Arm, ...] = Field(default=("original",), min_length=1, max_length=1 + len(FIXES))
    """`original`: the tape as recorded. A letter: the tape with that fix of the person applied.

    `edited` means the first fix.
    """

    at: tuple[Annotated[int, Field(ge=0)], ...] | None = Field(
        default=None, min_length=1, max_length=MAX_BRANCHES
    )
    """How many leading steps of the recorded tape to keep; each number is one place to run from.

    If omitted, the original continues from the position of the edit, or from the tape's end.
    """

    model_ids: tuple[UUID | None, ...] = Field(default=(None,), min_length=1, max_length=50)
    """`None` means the models that the agent names."""

    temperatures: tuple[Temperature | None, ...] = Field(
        default=(None,), min_length=1, max_length=50
    )
    """`None` means the temperature of the agent or the model."""

    parameters: dict[str, Any] = Field(default_factory=dict)
    """Sent to every LLM of the agent, overriding its own."""

    repeats: int = Field(default=5, ge=1, le=MAX_BRANCHES)
    tools: ToolPolicies = ToolPolicies()
    until: Until = Until()
    max_turns: int = Field(default=MAX_TURNS, ge=1, le=1_000)
    budget: Budget = Budget()
    """Of the entire experiment: when it is used up, everything stops."""

    concurrency: int | None = Field(default=None, ge=1, le=MAX_BRANCHES)
    """How many of its runs may be active at the same time; `None`: as many as the workers take."""

    check: AnyCheck | None = None
    """What passes; `None` means that a person decides."""

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

    def run_request(
        self, branch: "Condition", branch_id: UUID, budget_id: UUID | None
    ) -> RunRequest:
        """Return the request for the run of one branch.

        The budget is the experiment's; its seconds also limit each single run, so that a model that
        never answers cannot exceed them.
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
            budget_id=budget_id,
        )


def find_budget(
    experiment_id: UUID, request: ExperimentRequest, shared: UUID | None
) -> UUID | None:
    """Return the budget that an experiment's calls are reserved from; `None`: nothing limits it."""
    if shared is not None:
        return shared
    return experiment_id if request.budget.limits_spending else None


def fix_of(arm: EditedArm) -> Fix:
    """Return which of the person's drafts an arm runs."""
    return FIRST_FIX if arm == "edited" else arm


class Condition(Protocol):
    """The conditions that a branch is run under: any row that has these columns."""

    @property
    def model_id(self) -> UUID | None: ...
    @property
    def temperature(self) -> float | None: ...
    @property
    def asks_next_step(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class BranchPoint:
    """Where branches start: how many steps of a tape they keep.

    `recorded_count` is the corresponding number of steps on the recorded tape, from which an edited
    tape may differ. `pass_check` replaces the experiment's check there.
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
        """Whether its run ends at the first action."""
        return asks_next_step(self.place.pass_check)


def plan_branches(request: ExperimentRequest, places: Sequence[BranchPoint]) -> list[PlannedBranch]:
    """Return the branches in the order in which they are run.

    All conditions run once before any runs a second time, so that a budget that stops early leaves
    every condition with about the same number of results.
    """
    conditions = product(places, request.model_ids, request.temperatures)
    return [PlannedBranch(*condition) for condition in conditions] * request.repeats
