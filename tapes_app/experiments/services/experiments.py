"""Run N: starting many branches of a tape in one transaction, and reading experiments."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction

from tapes_app.agents.domain.rows import AgentVersionRow
from tapes_app.agents.services.agents import build_live_agent
from tapes_app.agents.services.known_prices import require_priced, require_prices
from tapes_app.agents.store import agents as agent_storage
from tapes_app.editing.domain.rows import Fix
from tapes_app.editing.services import drafts
from tapes_app.editing.services.children import store_edit
from tapes_app.editing.services.previews import Edit
from tapes_app.engine.errors import EditError, StudioError, TapeGrownError
from tapes_app.experiments.domain.check_kinds import validate_check
from tapes_app.experiments.services.attempts import Grid, begin_attempts, fork_attempts
from tapes_app.experiments.services.judging import build_judge
from tapes_app.experiments.services.request import (
    AnyCheck,
    BranchPoint,
    ExperimentRequest,
    JudgeCheck,
    fix_of,
    plan_branches,
)
from tapes_app.experiments.services.summary import ExperimentSummary, summarise
from tapes_app.experiments.store import branches as branch_storage
from tapes_app.experiments.store import experiments as storage
from tapes_app.experiments.store.branches import BranchRow
from tapes_app.experiments.store.experiments import Arm, EditedArm, ExperimentRow, Spending
from tapes_app.projects.services.people import Person
from tapes_app.runs.domain.request import Budget
from tapes_app.runs.store.budgets import open_budget
from tapes_app.tapes.store import access as tape_access
from tapes_app.tapes.store import headers
from tapes_app.tapes.store.edits import check_forks

_NO_LIMITS = Budget()
_INSTEAD = "tokens or time"


@dataclass(frozen=True)
class ExperimentDetail:
    """An experiment with its branches and a summary of them."""

    row: ExperimentRow
    request: dict[str, Any]
    check: AnyCheck | None
    budget: Budget
    branches: list[BranchRow]
    spent: Spending
    summary: ExperimentSummary


def start_experiment(person: Person, tape_id: UUID, request: ExperimentRequest) -> ExperimentDetail:
    """Create all branches with their runs, or none.

    The drafts are kept, so that the person can continue trying.

    Raises:
        NotFoundError: no such tape, agent version or model in the project.
        ArchivedError: the tape is archived.
        EditError: an edited arm is requested, but there is no draft or it does not fit.
        TapeRangeError: a step to run from is past the end of the tape.
        ModelKeyMissingError: a model has no key.
        PriceUnknownError: dollars are limited, and the price of a model or the judge is unknown.
        InvalidInputError: the check cannot be decided.
    """
    header = headers.load_header(tape_id, person.project_id)
    version, edits = _check(person, tape_id, request)
    with transaction.atomic():
        start = _find_places(person, tape_id, request, edits, header.step_count)
        experiment_id = storage.create_experiment(
            person.project_id,
            owner=person.user_id,
            name=request.name,
            request=request.model_dump(mode="json"),
            tape=tape_id,
            revision=start.revision,
            arm_words=start.words,
        )
        grid = Grid(
            person.project_id,
            experiment_id,
            request,
            owner_id=person.user_id,
            title=lambda number: f"{version.agent_name}, branch {number}: {header.title}",
            author=person.name,
        )
        open_budget(experiment_id, request.budget)
        begin_attempts(grid, fork_attempts(grid, plan_branches(request, start.places)))
    return load_experiment(person, experiment_id)


def check_experiment(person: Person, tape_id: UUID, request: ExperimentRequest) -> int:
    """Return how many branches an experiment would start that could be started; none is.

    Raises:
        StudioError: it could not be started, as `start_experiment` says.
    """
    _check(person, tape_id, request)
    return request.branch_count


def list_experiments(person: Person, tape_id: UUID) -> list[ExperimentRow]:
    """Return the experiments of a tape, and those that it is a branch of, newest first."""
    tape_access.require_tape(tape_id, person.project_id)
    return storage.list_experiments(tape_id, person.project_id)


def load_experiment(person: Person, experiment_id: UUID) -> ExperimentDetail:
    """Return an experiment with its branches; the number of queries does not depend on theirs."""
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
        summary=summarise(branches, is_over=not row.unfinished_count),
    )


def validate_request_check(
    person: Person, check: AnyCheck | None, budget: Budget = _NO_LIMITS
) -> None:
    """Refuse a check that cannot decide anything, or whose judge a budget cannot limit.

    Raises:
        InvalidInputError: a pattern or an expression cannot be parsed.
        NotFoundError: the judge is not a model of the project.
        ModelKeyMissingError: the judge has no key.
        PriceUnknownError: dollars are limited, and the judge's price is unknown.
    """
    if isinstance(check, JudgeCheck):
        judge = build_judge(person.project_id, check.model_id)
        if budget.micro_usd is not None:
            require_priced([judge], instead=_INSTEAD)
    elif check is not None:
        validate_check(check)


def check_models(person: Person, request: ExperimentRequest) -> None:
    """Refuse models that cannot be asked, or whose spending a budget in dollars cannot limit.

    Raises:
        NotFoundError: no such agent version or model in the project.
        ModelKeyMissingError: a model has no key.
        PriceUnknownError: dollars are limited, and a model's price is unknown.
    """
    for model_id in request.model_ids:
        try:
            build_live_agent(
                person.project_id,
                request.agent_version_id,
                model_id=model_id,
                parameters=request.parameters,
            )
            if request.budget.micro_usd is not None:
                require_prices(
                    person.project_id,
                    request.agent_version_id,
                    model_id=model_id,
                    instead=_INSTEAD,
                )
        except StudioError as error:
            error.details.setdefault("model_id", str(model_id) if model_id else "")
            raise


@dataclass(frozen=True)
class _Start:
    """Where branches start; with edits, also the child of the first, and what each changes."""

    places: list[BranchPoint]
    revision: UUID | None = None
    words: dict[str, str] = field(default_factory=dict)


class _Fixed(NamedTuple):
    """The result of a fix, and the name that a person gave it."""

    edit: Edit
    name: str


def _check(
    person: Person, tape_id: UUID, request: ExperimentRequest
) -> tuple[AgentVersionRow, dict[EditedArm, _Fixed]]:
    """Return the version that runs and what each edited arm starts from.

    Raises:
        StudioError: the experiment cannot be started; it says why.
    """
    version = agent_storage.load_version(request.agent_version_id, person.project_id)
    check_models(person, request)
    validate_request_check(person, request.check, request.budget)
    check_forks(tape_id, request.at or (), project=person.project_id)
    edits = {arm: _apply_fix(person, tape_id, fix_of(arm)) for arm in request.edited_arms}
    return version, edits


def _find_places(
    person: Person,
    tape_id: UUID,
    request: ExperimentRequest,
    edits: Mapping[EditedArm, _Fixed],
    step_count: int,
) -> _Start:
    """Create the children that hold the requested edits, and return the places to start from.

    Branches of the recorded tape start where the earliest edit does.
    """
    if not edits:
        counts = (step_count,) if request.at is None else request.at
        return _Start([BranchPoint(tape_id, "original", count, count) for count in counts])
    kept = {arm: _count_recorded(edit, step_count) for arm, (edit, _) in edits.items()}
    earliest = min(kept.values())
    places: dict[Arm, BranchPoint] = {
        "original": BranchPoint(tape_id, "original", earliest, earliest)
    }
    for arm, (edit, _) in edits.items():
        with _naming(fix_of(arm)):
            version = request.agent_version_id
            revision = store_edit(
                person, tape_id, edit, keep=edit.resume_at, agent_version_id=version
            )
        count = headers.load_header(revision, person.project_id).step_count
        places[arm] = BranchPoint(revision, arm, count, kept[arm])
    return _Start(
        [places[arm] for arm in request.arms],
        places[request.edited_arms[0]].tape_id,
        {arm: name or edit.describe() for arm, (edit, name) in edits.items()},
    )


def _apply_fix(person: Person, tape_id: UUID, fix: Fix) -> _Fixed:
    draft = drafts.load_draft(person, tape_id, fix)
    if not draft.applied_count:
        raise EditError(
            f"Fix {fix} of this tape changes nothing: change a step in it first, or leave it out.",
            fix=fix,
        )
    with _naming(fix):
        return _Fixed(drafts.apply_draft(person, tape_id, draft), draft.name)


@contextmanager
def _naming(fix: Fix) -> Iterator[None]:
    """Add to an error in a draft which draft it is in."""
    try:
        yield
    except (EditError, TapeGrownError) as error:
        raise type(error)(f"Fix {fix}: {error.message}", fix=fix, **error.details) from error


def _count_recorded(edit: Edit, step_count: int) -> int:
    """Return how many recorded steps correspond to those that an edit keeps."""
    stale_count = len(edit.steps) - edit.resume_at
    # After a cut nothing is stale: the recorded arm then keeps as many steps as the edit.
    return step_count - stale_count if stale_count else min(edit.resume_at, step_count)
