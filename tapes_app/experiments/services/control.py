"""What a person does with an experiment once it is begun: stop, try again, judge, pin."""

from dataclasses import dataclass
from uuid import UUID

from django.db import transaction

from tapes_app.agents.store import agents as agent_storage
from tapes_app.engine.errors import ConflictError
from tapes_app.experiments.branch_states import BranchState
from tapes_app.experiments.services.attempts import Grid, queue_attempts
from tapes_app.experiments.services.branch_outcomes import (
    RECHECK_KIND,
    count_spent_calls,
    explain_overspending,
)
from tapes_app.experiments.services.experiments import (
    ExperimentDetail,
    check_models,
    check_the_check,
    load_experiment,
)
from tapes_app.experiments.services.judge_notes import withdraw_judgements
from tapes_app.experiments.services.request import (
    AnyCheck,
    ExperimentRequest,
)
from tapes_app.experiments.store import branches as branch_storage
from tapes_app.experiments.store import experiments as storage
from tapes_app.experiments.store.branches import BranchRow, Judgement
from tapes_app.experiments.store.experiments import Spending
from tapes_app.jobs.store.many_jobs import NewJob, cancel_jobs, create_jobs
from tapes_app.projects.services.people import Person
from tapes_app.runs.request import Budget
from tapes_app.tapes.store.marks import mark_tape

RETRIED: frozenset[BranchState] = frozenset({"failed", "cancelled", "out_of_budget"})


def cancel_experiment(person: Person, experiment_id: UUID) -> ExperimentDetail:
    """Stop every branch that is not over.

    Raises:
        ConflictError: they are all over.
    """
    storage.load_experiment(experiment_id, person.project_id)
    unfinished = storage.list_unfinished_jobs(experiment_id)
    if not unfinished:
        raise ConflictError("Every branch has finished; there is nothing to stop.")
    # First the reason: a run that looks between two cancellations sees that it should stop.
    storage.stop_experiment(experiment_id, f"Stopped by {person.name}.")
    cancel_jobs(person.project_id, unfinished, person=person.name)
    return load_experiment(person, experiment_id)


def retry_experiment(
    person: Person, experiment_id: UUID, *, budget: Budget | None = None
) -> ExperimentDetail:
    """Run again what failed, was stopped or ran out of budget, and judge what nobody could judge.

    Each continues from the steps that it has. The budget's clock starts again; a new `budget`
    takes the place of the old one.

    Raises:
        ConflictError: there is nothing to do again, or the budget is still used up.
    """
    shown = load_experiment(person, experiment_id)
    failed = [branch for branch in shown.branches if branch.state in RETRIED]
    again = [branch for branch in failed if not branch.is_deleted]
    unjudged = branch_storage.list_unjudged(experiment_id) if shown.check else []
    if not again and not unjudged:
        raise ConflictError("No branch failed or was stopped; there is nothing to rerun.")
    request = ExperimentRequest.model_validate(shown.request)
    if budget is not None:
        request = request.model_copy(update={"budget": budget})
    _check_budget_left(experiment_id, request.budget, shown.spent)
    check_models(person, request)
    version = agent_storage.load_version(request.agent_version_id, person.project_id)
    cancel_jobs(
        person.project_id,
        [branch.job_id for branch in again if branch.job_id is not None],
        person=person.name,
    )
    with transaction.atomic():
        storage.restart_experiment(experiment_id, request.model_dump(mode="json"))
        if again:
            grid = Grid(
                person.project_id,
                experiment_id,
                request,
                owner_id=person.user_id,
                title=lambda number: f"{version.agent_name}, branch {number}",
            )
            queue_attempts(grid, {branch.id: (branch.number, branch) for branch in again})
        if unjudged:
            _queue_recheck(person, experiment_id)
    return load_experiment(person, experiment_id)


def change_budget(person: Person, experiment_id: UUID, budget: Budget) -> None:
    """Give an experiment another budget, which its runs see at their next step."""
    shown = storage.load_experiment(experiment_id, person.project_id)
    request = ExperimentRequest.model_validate(shown.request)
    changed = request.model_copy(update={"budget": budget})
    storage.set_request(experiment_id, changed.model_dump(mode="json"))


def recheck_experiment(
    person: Person, experiment_id: UUID, check: AnyCheck | None
) -> ExperimentDetail:
    """Judge all ended branches again by another check; what persons said stays.

    Raises:
        InvalidInputError: the check cannot be decided.
    """
    row = storage.load_experiment(experiment_id, person.project_id)
    check_the_check(person, check)
    request = ExperimentRequest.model_validate(row.request)
    changed = request.model_copy(update={"check": check})
    with transaction.atomic():
        storage.set_request(experiment_id, changed.model_dump(mode="json"))
        branch_storage.clear_judgements(experiment_id)
        withdraw_judgements(branch.id for branch in branch_storage.list_branches(experiment_id))
        if check is not None:
            _queue_recheck(person, experiment_id)
    return load_experiment(person, experiment_id)


@dataclass(frozen=True)
class BranchChange:
    """What a person says of a branch. `is_judged` tells "no longer judged" from "not said"."""

    is_pinned: bool | None = None
    is_judged: bool = False
    passed: bool | None = None
    score: float | None = None


@transaction.atomic
def change_branch(
    person: Person, experiment_id: UUID, number: int, change: BranchChange
) -> BranchRow:
    """Pin a branch's tape in its family, or say whether the branch passes.

    Raises:
        NotFoundError: there is no such branch.
    """
    branch = branch_storage.load_branch(experiment_id, number, person.project_id)
    if change.is_pinned is not None:
        mark_tape(branch.tape_id, person.project_id, is_pinned=change.is_pinned)
    if change.is_judged:
        judgement = _judge_by_hand(person, change)
        branch_storage.set_judgement(branch.id, judgement, is_by_person=True)
    return branch_storage.load_branch(experiment_id, number, person.project_id)


def _judge_by_hand(person: Person, change: BranchChange) -> Judgement:
    if change.passed is None:
        return Judgement()
    score = float(change.passed) if change.score is None else change.score
    return Judgement("person", person.name, change.passed, score)


def _check_budget_left(experiment_id: UUID, budget: Budget, spent: Spending) -> None:
    calls = count_spent_calls(experiment_id, budget)
    reason = explain_overspending(budget, spent, calls=calls, seconds=0)
    if reason:
        raise ConflictError(f"{reason} Raise the budget to continue.")


def _queue_recheck(person: Person, experiment_id: UUID) -> None:
    job = NewJob({"experiment_id": str(experiment_id)}, "Judge the branches of an experiment")
    create_jobs(person.project_id, RECHECK_KIND, [job], owner_id=person.user_id)
