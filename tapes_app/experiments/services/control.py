"""What a person can do with a running experiment: stop, retry, judge, pin."""

from uuid import UUID

from django.db import transaction

from tapes_app.agents.store import agents as agent_storage
from tapes_app.engine.errors import ConflictError
from tapes_app.experiments.domain.branch_states import BranchState
from tapes_app.experiments.services.attempts import Grid, queue_attempts
from tapes_app.experiments.services.branch_outcomes import RECHECK_KIND
from tapes_app.experiments.services.experiments import (
    ExperimentDetail,
    check_models,
    load_experiment,
    validate_request_check,
)
from tapes_app.experiments.services.judge_notes import withdraw_judgements
from tapes_app.experiments.services.request import AnyCheck, ExperimentRequest
from tapes_app.experiments.store import branches as branch_storage
from tapes_app.experiments.store import experiments as storage
from tapes_app.experiments.store.branches import BranchRow, Judgement
from tapes_app.experiments.store.experiments import Spending
from tapes_app.jobs.store.many_jobs import NewJob, cancel_jobs, create_jobs
from tapes_app.projects.services.people import Person
from tapes_app.runs.domain.request import Budget
from tapes_app.runs.domain.reservations import Cost
from tapes_app.runs.store.budgets import load_account, open_budget
from tapes_app.tapes.store.marks import mark_tape

RETRIED: frozenset[BranchState] = frozenset({"failed", "cancelled", "out_of_budget"})


def cancel_experiment(person: Person, experiment_id: UUID) -> ExperimentDetail:
    """Stop every unfinished branch.

    Raises:
        ConflictError: all branches have finished.
    """
    storage.load_experiment(experiment_id, person.project_id)
    unfinished = storage.list_unfinished_jobs(experiment_id)
    if not unfinished:
        raise ConflictError("Every branch has finished; there is nothing to stop.")
    # Store the reason first: a run that checks between two cancellations then knows it should stop.
    storage.stop_experiment(experiment_id, f"Stopped by {person.name}.")
    cancel_jobs(person.project_id, unfinished, person=person.name)
    return load_experiment(person, experiment_id)


def retry_experiment(
    person: Person, experiment_id: UUID, *, budget: Budget | None = None
) -> ExperimentDetail:
    """Rerun what failed, was stopped or ran out of budget, and judge what could not be judged.

    Each branch continues from the steps that it has. The budget's clock restarts; a new `budget`
    replaces the old one.

    Raises:
        ConflictError: there is nothing to rerun, or the budget is still used up.
    """
    shown = load_experiment(person, experiment_id)
    again = [one for one in shown.branches if one.state in RETRIED and not one.is_deleted]
    unjudged = branch_storage.list_unjudged(experiment_id) if shown.check else []
    if not again and not unjudged:
        raise ConflictError("No branch failed or was stopped; there is nothing to rerun.")
    request = ExperimentRequest.model_validate(shown.request)
    if budget is not None:
        request = request.model_copy(update={"budget": budget})
    shared = storage.load_experiment(experiment_id, person.project_id).budget_id
    check_models(person, request)
    version = agent_storage.load_version(request.agent_version_id, person.project_id)
    with transaction.atomic():
        _open_budget(experiment_id, request.budget, shared, shown.spent)
        cancel_jobs(
            person.project_id,
            [branch.job_id for branch in again if branch.job_id is not None],
            person=person.name,
        )
        storage.restart_experiment(experiment_id, request.model_dump(mode="json"))
        if again:
            grid = Grid(
                person.project_id,
                experiment_id,
                request,
                owner_id=person.user_id,
                title=lambda number: f"{version.agent_name}, branch {number}",
                shared_budget=shared,
            )
            queue_attempts(grid, {branch.id: (branch.number, branch) for branch in again})
        if unjudged:
            _queue_recheck(person, experiment_id)
    return load_experiment(person, experiment_id)


def recheck_experiment(
    person: Person, experiment_id: UUID, check: AnyCheck | None
) -> ExperimentDetail:
    """Judge all finished branches again by another check; judgments by people stay.

    Raises:
        InvalidInputError: the check cannot be decided, or its judge has no price while dollars are
            limited.
    """
    row = storage.load_experiment(experiment_id, person.project_id)
    request = ExperimentRequest.model_validate(row.request)
    validate_request_check(person, check, request.budget)
    changed = request.model_copy(update={"check": check})
    with transaction.atomic():
        storage.set_request(experiment_id, changed.model_dump(mode="json"))
        branch_storage.clear_judgements(experiment_id)
        withdraw_judgements(branch.id for branch in branch_storage.list_branches(experiment_id))
        if check is not None:
            _queue_recheck(person, experiment_id)
    return load_experiment(person, experiment_id)


@transaction.atomic
def change_branch(
    person: Person,
    experiment_id: UUID,
    number: int,
    *,
    is_pinned: bool | None,
    is_judged: bool,
    passed: bool | None,
    score: float | None,
) -> BranchRow:
    """Pin a branch's tape in its family, or say whether the branch passes.

    `is_judged` is whether `passed` was set, even to `None`.

    Raises:
        NotFoundError: there is no such branch.
    """
    branch = branch_storage.load_branch(experiment_id, number, person.project_id)
    if is_pinned is not None:
        mark_tape(branch.tape_id, person.project_id, is_pinned=is_pinned)
    if is_judged:
        judgement = Judgement()
        if passed is not None:
            given = float(passed) if score is None else score
            judgement = Judgement("person", person.name, passed, given)
        branch_storage.set_judgement(branch.id, judgement, is_by_person=True)
    return branch_storage.load_branch(experiment_id, number, person.project_id)


def _open_budget(experiment_id: UUID, budget: Budget, shared: UUID | None, spent: Spending) -> None:
    """Set the limits of an experiment that has its own; call it in a transaction.

    Raises:
        ConflictError: no further call would be sent.
    """
    if shared is not None:
        account = load_account(shared)
    else:
        calls = storage.count_calls(experiment_id)
        used = Cost(spent.tokens, spent.micro_usd, calls)
        account = open_budget(experiment_id, budget, used=used)
    if account is not None and (reason := account.explain_used_up()):
        raise ConflictError(f"{reason} Raise the budget to continue.")


def _queue_recheck(person: Person, experiment_id: UUID) -> None:
    job = NewJob({"experiment_id": str(experiment_id)}, "Judge the branches of an experiment")
    create_jobs(person.project_id, RECHECK_KIND, [job], owner_id=person.user_id)
