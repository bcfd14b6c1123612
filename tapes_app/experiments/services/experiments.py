"""Run N: many branches of a tape, begun in one transaction, and experiments as people see them."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction

from tapes_app.agents.services.agents import build_live_agent
from tapes_app.agents.store import agents as agent_storage
from tapes_app.editing.services import drafts
from tapes_app.editing.services.children import store_edit
from tapes_app.engine.errors import EditError, StudioError
from tapes_app.experiments.checks import validate_check
from tapes_app.experiments.services.attempts import Grid, begin_attempts, fork_attempts
from tapes_app.experiments.services.judging import build_judge
from tapes_app.experiments.services.request import (
    AnyCheck,
    BranchPoint,
    ExperimentRequest,
    JudgeCheck,
    plan_branches,
)
from tapes_app.experiments.services.summary import ExperimentSummary, summarise
from tapes_app.experiments.store import branches as branch_storage
from tapes_app.experiments.store import experiments as storage
from tapes_app.experiments.store.branches import BranchRow
from tapes_app.experiments.store.experiments import ExperimentRow, Spending
from tapes_app.projects.services.people import Person
from tapes_app.runs.request import Budget
from tapes_app.tapes.store import access as tape_access
from tapes_app.tapes.store import headers


@dataclass(frozen=True)
class ExperimentDetail:
    """An experiment with its branches and what they say together."""

    row: ExperimentRow
    request: dict[str, Any]
    check: AnyCheck | None
    budget: Budget
    branches: list[BranchRow]
    spent: Spending
    summary: ExperimentSummary


def start_experiment(person: Person, tape_id: UUID, request: ExperimentRequest) -> ExperimentDetail:
    """Make all branches with their runs, or nothing.

    The draft stays: the person continues trying.

    Raises:
        NotFoundError: no such tape, agent version or model in the project.
        ArchivedError: the tape is archived.
        EditError: the edited arm is asked for, and there is no draft or it does not fit.
        TapeRangeError: a step to run from is past the end.
        ModelKeyMissingError: a model cannot be asked.
        InvalidInputError: the check cannot be decided.
    """
    header = headers.load_header(tape_id, person.project_id)
    version = agent_storage.load_version(request.agent_version_id, person.project_id)
    check_models(person, request)
    check_the_check(person, request.check)
    with transaction.atomic():
        revision, places = _find_places(person, tape_id, request, header.step_count)
        experiment_id = storage.create_experiment(
            person.project_id,
            owner=person.user_id,
            name=request.name,
            request=request.model_dump(mode="json"),
            tape=tape_id,
            revision=revision,
        )
        grid = Grid(
            person.project_id,
            experiment_id,
            request,
            owner_id=person.user_id,
            title=lambda number: f"{version.agent_name}, branch {number}: {header.title}",
            author=person.name,
        )
        begin_attempts(grid, fork_attempts(grid, plan_branches(request, places)))
    return load_experiment(person, experiment_id)


def list_experiments(person: Person, tape_id: UUID) -> list[ExperimentRow]:
    """Return the experiments of a tape, and those that it is a branch of, newest first."""
    tape_access.require_tape(tape_id, person.project_id)
    return storage.list_experiments(tape_id, person.project_id)


def load_experiment(person: Person, experiment_id: UUID) -> ExperimentDetail:
    """Return an experiment with its branches, in as many queries however many those are."""
    row = storage.load_experiment(experiment_id, person.project_id)
    request = ExperimentRequest.model_validate(row.request)
    branches = branch_storage.list_branches(experiment_id)
    return ExperimentDetail(
        row=row,
        request=request.model_dump(mode="json"),
        check=request.check,
        budget=request.budget,
        branches=branches,
        spent=storage.sum_spending(experiment_id),
        summary=summarise(branches),
    )


def check_the_check(person: Person, check: AnyCheck | None) -> None:
    """Refuse a check that could decide nothing.

    Raises:
        InvalidInputError: a pattern or an expression cannot be read.
        NotFoundError: the judge is not a model of the project.
        ModelKeyMissingError: the judge cannot be asked.
    """
    if isinstance(check, JudgeCheck):
        build_judge(person.project_id, check)
    elif check is not None:
        validate_check(check)


def check_models(person: Person, request: ExperimentRequest) -> None:
    for model_id in request.model_ids:
        try:
            build_live_agent(
                person.project_id,
                request.agent_version_id,
                model_id=model_id,
                parameters=request.parameters,
            )
        except StudioError as error:
            error.details.setdefault("model_id", str(model_id) if model_id else "")
            raise


def _find_places(
    person: Person, tape_id: UUID, request: ExperimentRequest, step_count: int
) -> tuple[UUID | None, list[BranchPoint]]:
    """Return the child that holds the edit, when it is asked for, and where branches begin."""
    if "edited" not in request.arms:
        counts = (step_count,) if request.at is None else request.at
        return None, [BranchPoint(tape_id, "original", count, count) for count in counts]
    draft = drafts.load_draft(person, tape_id)
    if not draft.applied_count:
        raise EditError(
            "This tape has no draft: change a step first, or run only the recorded tape."
        )
    edit = drafts.apply_draft(person, tape_id, draft)
    stale_count = len(edit.steps) - edit.resume_at
    # Behind a cut nothing is stale: the twin then keeps as many steps as the edit.
    recorded = step_count - stale_count if stale_count else min(edit.resume_at, step_count)
    revision = store_edit(
        person,
        tape_id,
        edit,
        keep=edit.resume_at,
        agent_version_id=request.agent_version_id,
    )
    kept = headers.load_header(revision, person.project_id).step_count
    places = {
        "original": BranchPoint(tape_id, "original", recorded, recorded),
        "edited": BranchPoint(revision, "edited", kept, recorded),
    }
    return revision, [places[arm] for arm in request.arms]
