"""The grid of attempts: a child and its run for every place, model and temperature, repeated.

Run N has its places on one tape, a rerun has one on each of many tapes.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from tapes_app.experiments.services.request import ExperimentRequest, PlannedBranch, find_budget
from tapes_app.experiments.store import experiments as storage
from tapes_app.experiments.store.branches import BranchRow
from tapes_app.experiments.store.experiments import NewBranch
from tapes_app.jobs.domain.run_result import RUN_KIND
from tapes_app.jobs.store.many_jobs import NewJob, create_jobs
from tapes_app.tapes.store import edits as tape_edits


@dataclass(frozen=True)
class Grid:
    """What all attempts of an experiment share."""

    project_id: UUID
    experiment_id: UUID
    request: ExperimentRequest
    owner_id: int | None
    title: Callable[[int], str]
    """Returns the title of a branch's run, given the number of the branch."""

    author: str = ""
    """Author of the children."""

    agent_name: str = ""
    """The agent that the children are recorded under; empty: their parent's agent."""

    batch_id: UUID | None = None
    """The batch that the children are put into."""

    shared_budget: UUID | None = None
    """The budget that it shares with others; `None`: its own."""


def fork_attempts(grid: Grid, planned: Sequence[PlannedBranch]) -> list[NewBranch]:
    """Create the children of all planned branches, tape by tape, and return them.

    Raises:
        NotFoundError: a start tape is not in the project.
        ArchivedError: a start tape is archived.
        TapeRangeError: a place is past the end of its tape.
    """
    by_tape = defaultdict[UUID, list[int]](list)
    for number, plan in enumerate(planned):
        by_tape[plan.place.tape_id].append(number)
    new: dict[int, NewBranch] = {}
    for tape_id, numbers in by_tape.items():
        forked = tape_edits.fork_tapes(
            tape_id,
            [planned[number].place.kept_count for number in numbers],
            project=grid.project_id,
            owner=grid.owner_id,
            author=grid.author,
            agent_version=grid.request.agent_version_id,
            agent_name=grid.agent_name,
            batch=grid.batch_id,
        )
        for number, tape in zip(numbers, forked, strict=True):
            plan = planned[number]
            new[number] = NewBranch(
                tape_id=tape.id,
                arm=plan.place.arm,
                kept_count=plan.place.kept_count,
                recorded_count=plan.place.recorded_count,
                base_tokens=tape.tokens,
                base_micro_usd=tape.micro_usd,
                model_id=plan.model_id,
                temperature=plan.temperature,
                pass_check=plan.place.pass_check,
            )
    return [new[number] for number in range(len(planned))]


def begin_attempts(grid: Grid, new: Sequence[NewBranch]) -> None:
    """Add branches to an experiment and queue their runs; call it in a transaction."""
    first, branch_ids = storage.add_branches(grid.experiment_id, new)
    queue_attempts(grid, {
        branch_id: (number, branch)
        for number, (branch_id, branch) in enumerate(
            zip(branch_ids, new, strict=True), start=first
        )
    })  # fmt: skip


def queue_attempts(grid: Grid, branches: Mapping[UUID, tuple[int, NewBranch | BranchRow]]) -> None:
    """Queue a run for each of the given branches, by their numbers."""
    budget_id = find_budget(grid.experiment_id, grid.request, grid.shared_budget)
    jobs = [
        NewJob(
            grid.request.run_request(branch, branch_id, budget_id).model_dump(mode="json"),
            grid.title(number),
            branch.tape_id,
        )
        for branch_id, (number, branch) in branches.items()
    ]
    job_ids = create_jobs(
        grid.project_id,
        RUN_KIND,
        jobs,
        owner_id=grid.owner_id,
        group=grid.experiment_id,
        group_limit=grid.request.concurrency,
    )
    storage.set_jobs(dict(zip(branches, job_ids, strict=True)))
