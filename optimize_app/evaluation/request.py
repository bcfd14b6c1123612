"""The request for a sweep, and the amendment of an existing one."""

from typing import Annotated
from uuid import UUID

from pydantic import Field, StringConstraints

from optimize_app.evaluation.plan import MOST_VARIANTS, Plan, SweepBudget, Variant
from optimize_app.evaluation.scoring_request import ScoringRequest
from tapes_app.bulk.domain.version_refs import DatasetVersionRef
from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.experiments.services.request import MAX_BRANCHES
from tapes_app.library.services.selection import TapeSelection
from tapes_app.runs.domain.request import MAX_TURNS, ToolPolicies

SWEEP_KIND = "sweep"
NAME_LENGTH = 200
MOST_ATTEMPTS = 100

Seed = Annotated[int, Field(ge=0, lt=2**32)]


class SweepRequest(TapeSelection):
    """Every variant runs every task once for each seed, and `repeats` times without one.

    The tasks are tapes: each is run from its first steps by a person or the environment.
    """

    name: Annotated[
        str, StringConstraints(strip_whitespace=True, min_length=1, max_length=NAME_LENGTH)
    ]
    """Its batches are named NAME A1, NAME A2, NAME B1 and so on."""

    variants: tuple[Variant, ...] = Field(min_length=1, max_length=MOST_VARIANTS)
    """The first one is the baseline."""

    seeds: tuple[Seed, ...] = Field(default=(), max_length=MOST_ATTEMPTS)
    """Each is sent as the parameter `seed` of one attempt; if empty, no seed is sent."""

    repeats: int = Field(default=1, ge=1, le=MOST_ATTEMPTS)
    order_seed: Seed | None = None
    """Seed of the random order in which tasks are run (0 if omitted). The order is random so that
    interim results mean something: from easy to hard, the first results say nothing about the
    rest."""

    tools: ToolPolicies = ToolPolicies()
    max_turns: int = Field(default=MAX_TURNS, ge=1, le=1_000)
    budget: SweepBudget = SweepBudget()
    scoring: ScoringRequest | None = None
    """What decides; `None`: the outcome of each tape, by its expected answer or a person."""

    concurrency: int | None = Field(default=None, ge=1, le=MAX_BRANCHES)
    """How many runs of a batch may go in parallel; `None`: as many as the workers take."""

    def plan(
        self, tasks: tuple[UUID, ...], *, stands_on: tuple[DatasetVersionRef, ...] = ()
    ) -> Plan:
        """Return the sweep's plan; raises `InvalidInputError` if it is too large."""
        plan = Plan(
            name=self.name,
            variants=self.variants,
            attempts=(self.seeds or (None,)) * self.repeats,
            tasks=(tasks,),
            order_seed=self.order_seed or 0,
            tools=self.tools,
            max_turns=self.max_turns,
            concurrency=self.concurrency,
            budget=self.budget,
            scoring=self.scoring,
            stands_on=stands_on,
        )
        return plan.model_copy(update={"tasks": (plan.shuffled(tasks),)})


class SweepAmendment(FrozenModel):
    """What to add to a sweep; what it has done already is reused."""

    variants: tuple[Variant, ...] = Field(default=(), max_length=MOST_VARIANTS)
    seeds: tuple[Seed, ...] = Field(default=(), max_length=MOST_ATTEMPTS)
    repeats: int = Field(default=0, ge=0, le=MOST_ATTEMPTS)
    """Additional attempts without a seed."""

    tasks: TapeSelection | None = None
    """Additional tasks; those that it has already do not count."""

    budget: SweepBudget | None = None
    """Replaces the current budget."""

    retry: bool = False
    """Run again what failed, was stopped or ran out of the budget."""

    def amend(
        self, plan: Plan, tasks: tuple[UUID, ...], *, stands_on: tuple[DatasetVersionRef, ...] = ()
    ) -> Plan:
        """Return the amended plan; raises `InvalidInputError` if it is too large."""
        added = self.seeds + (None,) * self.repeats
        changed = plan.model_copy(
            update={
                "variants": plan.variants + self.variants,
                "attempts": plan.attempts + added,
                "tasks": (*plan.tasks, plan.shuffled(tasks)) if tasks else plan.tasks,
                "budget": self.budget or plan.budget,
                "retries": plan.retries + self.retry,
                "stands_on": tuple(dict.fromkeys((*plan.stands_on, *stands_on))),
            }
        )
        return Plan.model_validate(changed.model_dump())
