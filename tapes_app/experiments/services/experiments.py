"""Run N: many branches of a tape, begun in one transaction, and experiments as people see them."""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction

from tapes_app.agents.services.agents import build_live_agent
from tapes_app.agents.store import agents as agent_storage
from tapes_app.editing.services import drafts
from tapes_app.editing.services.children import store_edit
from tapes_app.engine.errors import EditError, StudioError
from tapes_app.experiments.checks import validate_check
from tapes_app.experiments.services.branch_states import BranchState, find_state
from tapes_app.experiments.services.judging import build_judge
from tapes_app.experiments.services.request import (
    AnyCheck,
    BranchPoint,
    ExperimentRequest,
    JudgeCheck,
    PlannedBranch,
    plan_branches,
)
from tapes_app.experiments.services.summary import ExperimentSummary, summarise
from tapes_app.experiments.store import branches as branch_storage
from tapes_app.experiments.store import experiments as storage
from tapes_app.experiments.store.branches import BranchRow
from tapes_app.experiments.store.experiments import ExperimentRow, NewBranch, Spending
from tapes_app.jobs.run_result import RUN_KIND
from tapes_app.jobs.store.many_jobs import NewJob, create_jobs
from tapes_app.projects.services.people import Person
from tapes_app.tapes.store import access as tape_access
from tapes_app.tapes.store import edits as tape_edits
from tapes_app.tapes.store import headers


@dataclass(frozen=True)
class BranchDetail:
    row: BranchRow
    state: BranchState


@dataclass(frozen=True)
class ExperimentDetail:
    """An experiment with its branches and what they say together."""

    row: ExperimentRow
    request: ExperimentRequest
    branches: list[BranchDetail]
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
        planned = plan_branches(request, places)
        new = _fork(person, tape_id, revision, planned, request.agent_version_id)
        experiment_id, branch_ids = storage.create_experiment(
            tape_id,
            person.project_id,
            owner=person.user_id,
            name=request.name,
            request=request.model_dump(mode="json"),
            revision=revision,
            branches=new,
        )
        jobs = {
            branch_id: NewJob(
                request.run_request(plan, branch_id).model_dump(mode="json"),
                f"{version.agent_name}, branch {number}: {header.title}",
                branch.tape_id,
            )
            for number, (plan, branch_id, branch) in enumerate(
                zip(planned, branch_ids, new, strict=True)
            )
        }
        queue_runs(person.project_id, experiment_id, jobs, request, owner=person.user_id)
    return load_experiment(person, experiment_id)


def list_experiments(person: Person, tape_id: UUID) -> list[ExperimentRow]:
    """Return the experiments of a tape, and those that it is a branch of, newest first."""
    tape_access.require_tape(tape_id, person.project_id)
    return storage.list_experiments(tape_id, person.project_id)


def load_experiment(person: Person, experiment_id: UUID) -> ExperimentDetail:
    """Return an experiment with its branches, in as many queries however many those are."""
    row = storage.load_experiment(experiment_id, person.project_id)
    branches = [
        BranchDetail(branch, find_state(branch))
        for branch in branch_storage.list_branches(experiment_id)
    ]
    return ExperimentDetail(
        row=row,
        request=ExperimentRequest.model_validate(row.request),
        branches=branches,
        spent=storage.sum_spending(experiment_id),
        summary=summarise([branch.row for branch in branches]),
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
        return None, [BranchPoint("original", count, count) for count in counts]
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
        "original": BranchPoint("original", recorded, recorded),
        "edited": BranchPoint("edited", kept, recorded),
    }
    return revision, [places[arm] for arm in request.arms]


def _fork(
    person: Person,
    tape_id: UUID,
    revision: UUID | None,
    planned: list[PlannedBranch],
    version_id: UUID,
) -> list[NewBranch]:
    """Make the children of all branches, those of one arm together."""
    new: dict[int, NewBranch] = {}
    for source, arm in ((tape_id, "original"), (revision, "edited")):
        mine = [(number, plan) for number, plan in enumerate(planned) if plan.place.arm == arm]
        if source is None or not mine:
            continue
        forked = tape_edits.fork_tapes(
            source,
            [plan.place.kept_count for _, plan in mine],
            project=person.project_id,
            owner=person.user_id,
            author=person.name,
            agent_version=version_id,
        )
        for (number, plan), tape in zip(mine, forked, strict=True):
            new[number] = NewBranch(
                tape_id=tape.id,
                arm=plan.place.arm,
                kept_count=plan.place.kept_count,
                recorded_count=plan.place.recorded_count,
                base_tokens=tape.tokens,
                base_micro_usd=tape.micro_usd,
                model_id=plan.model_id,
                temperature=plan.temperature,
            )
    return [new[number] for number in range(len(planned))]


def queue_runs(
    project: UUID,
    experiment_id: UUID,
    wanted: Mapping[UUID, NewJob],
    request: ExperimentRequest,
    *,
    owner: int | None,
) -> None:
    """Queue a run for each of some branches."""
    job_ids = create_jobs(
        project,
        RUN_KIND,
        list(wanted.values()),
        owner_id=owner,
        group=experiment_id,
        group_limit=request.concurrency,
    )
    storage.set_jobs(dict(zip(wanted, job_ids, strict=True)))
