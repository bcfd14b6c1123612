"""What a sweep consists of: variants, attempts and tasks, and the cells that follow from them.

A cell is one attempt of one variant at one group of tasks. Each cell is a separate rerun, whose
tapes form a batch. This module only plans; others do the work.
"""

from dataclasses import dataclass
from random import Random
from typing import Any, Self
from uuid import UUID

from pydantic import Field, model_validator

from optimize_app.evaluation.pins import Pins
from optimize_app.evaluation.scoring.scorers import JudgingScorer
from optimize_app.evaluation.scoring_request import ScoringRequest
from tapes_app.batches.services.rerun_request import RerunSpec
from tapes_app.bulk.domain.version_refs import DatasetVersionRef
from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.runs.domain.request import MAX_TURNS, Budget, ToolPolicies

LETTERS = "ABCDEFGHIJKL"
MOST_SECONDS = 604_800
MOST_VARIANTS = len(LETTERS)
MOST_CELLS = 200
MOST_RUNS = 20_000


class Variant(FrozenModel):
    """What is compared: an agent version, with a model and parameters."""

    agent_version_id: UUID
    model_id: UUID | None = None
    """Replaces every LLM of the agent; `None`: the ones that the agent names."""

    parameters: dict[str, Any] = Field(default_factory=dict)
    """Sent to every LLM of the agent, on top of its own."""


class SweepBudget(FrozenModel):
    """Hard limits for all runs of a sweep together; `None` = no limit."""

    tokens: int | None = Field(default=None, ge=1)
    micro_usd: int | None = Field(default=None, ge=1)
    """Millionths of a US dollar."""

    calls: int | None = Field(default=None, ge=1)
    """LLM calls."""

    seconds: float | None = Field(default=None, gt=0, le=MOST_SECONDS, allow_inf_nan=False)
    """How long runs may start and continue while a worker has the sweep: time in the queue, between
    two workers and after the last run does not count. Judges may finish afterwards."""

    def of_runs(self) -> Budget:
        """Return it as a budget for runs; only the sweep itself counts their time."""
        return Budget(tokens=self.tokens, micro_usd=self.micro_usd, calls=self.calls)


@dataclass(frozen=True, slots=True)
class Cell:
    """One attempt of one variant at one group of tasks; all three count from 0."""

    variant: int
    attempt: int
    group: int

    @property
    def key(self) -> str:
        """`A1`, or `A1+2` with the second group of tasks."""
        added = f"+{self.group + 1}" if self.group else ""
        return f"{LETTERS[self.variant]}{self.attempt + 1}{added}"


class Plan(FrozenModel):
    """The data of a sweep's job; an amendment extends it and changes nothing else."""

    name: str
    variants: tuple[Variant, ...] = Field(min_length=1, max_length=MOST_VARIANTS)
    attempts: tuple[int | None, ...] = Field(min_length=1)
    """One entry per attempt of each variant at each task: the `seed` sent, or `None` for none."""

    tasks: tuple[tuple[UUID, ...], ...]
    """Tapes whose first steps are run again. Later groups were added to the first."""

    order_seed: int | None = None
    """Seed of the random order of each group of tasks; `None`: the order of the list."""

    tools: ToolPolicies = ToolPolicies()
    max_turns: int = MAX_TURNS
    concurrency: int | None = None
    budget: SweepBudget = SweepBudget()
    scoring: ScoringRequest | None = None
    """What decides; `None`: the outcome of each tape, by its expected answer or a person."""

    stands_on: tuple[DatasetVersionRef, ...] = ()
    """The dataset versions that the tasks were chosen from."""

    pins: Pins | None = None
    """What it started with, by hash; `None`: started by a version of the studio that kept none."""

    retries: int = 0
    """How often a person asked to retry what failed, was stopped or ran out of the budget."""

    @model_validator(mode="after")
    def _check_size(self) -> Self:
        if len({variant.model_dump_json() for variant in self.variants}) < len(self.variants):
            raise InvalidInputError("Two variants are the same; list each only once.")
        if self.cell_count > MOST_CELLS or self.run_count > MOST_RUNS:
            raise InvalidInputError(
                f"That would be {self.run_count:,} runs in {self.cell_count:,} batches; the "
                f"limits are {MOST_RUNS:,} and {MOST_CELLS}. Choose fewer variants, attempts or "
                "tasks.",
                run_count=self.run_count,
            )
        return self

    @property
    def has_judge(self) -> bool:
        """Whether a model decides, which also spends from the budget."""
        return self.scoring is not None and isinstance(self.scoring.scorer, JudgingScorer)

    @property
    def task_count(self) -> int:
        return sum(map(len, self.tasks))

    @property
    def cell_count(self) -> int:
        return len(self.variants) * len(self.attempts) * len(self.tasks)

    @property
    def run_count(self) -> int:
        return len(self.variants) * len(self.attempts) * self.task_count

    @property
    def cells(self) -> list[Cell]:
        """All cells in the order in which they are run.

        Every variant runs once before any runs a second time, so a budget that stops early leaves
        all variants with about the same number of results.
        """
        return [
            Cell(variant, attempt, group)
            for group in range(len(self.tasks))
            for attempt in range(len(self.attempts))
            for variant in range(len(self.variants))
        ]

    def spec_of(self, variant: Variant, tasks: tuple[UUID, ...]) -> RerunSpec:
        """Return how a variant runs these tasks, without the seed."""
        return RerunSpec(
            tape_ids=tasks,
            agent_version_id=variant.agent_version_id,
            model_id=variant.model_id,
            parameters=variant.parameters,
            tools=self.tools,
            max_turns=self.max_turns,
        )

    def shuffled(self, tasks: tuple[UUID, ...]) -> tuple[UUID, ...]:
        """Return a group of tasks in the order in which the plan runs them."""
        if self.order_seed is None:
            return tasks
        return tuple(Random(self.order_seed).sample(tasks, len(tasks)))  # noqa: S311 - no secret

    def batch_of(self, cell: Cell) -> str:
        return f"{self.name} {cell.key}"


class Progress(FrozenModel):
    """What has been started; stored as the job's checkpoint."""

    runs: dict[str, UUID] = Field(default_factory=dict)
    """The rerun of each cell, by the cell's key; its batch has the same id."""

    seconds: float = 0
    """How long workers have worked on it."""

    is_held: bool = False
    """A person paused it; its runs are held, or are being held."""

    again: tuple[str, ...] = ()
    """Keys of cells whose runs are still to be retried."""

    retries: int = 0
    """How many of the retries that a person asked for are in `again` or done."""

    scoring: UUID | None = None
    """The newest job that scores finished cells."""

    scored: tuple[str, ...] = ()
    """Keys of the cells that this job, or an earlier one, was started for."""

    def started(self, key: str, run: UUID | None) -> "Progress":
        """Return it with a cell marked as started or retried; `None`: its tapes were deleted."""
        others = {other: id for other, id in self.runs.items() if other != key}
        return self.model_copy(
            update={
                "runs": others if run is None else {**others, key: run},
                "again": tuple(other for other in self.again if other != key),
                "scored": tuple(other for other in self.scored if other != key),
            }
        )
