"""Starting and amending a sweep: every error that can be known in advance is refused before it."""

import re
from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from django.db import transaction

from optimize_app.evaluation.plan import Plan, Progress, Variant
from optimize_app.evaluation.request import (
    NAME_LENGTH,
    SWEEP_KIND,
    SweepAmendment,
    SweepRequest,
)
from optimize_app.evaluation.scoring.scorers import AnswerScorer
from optimize_app.evaluation.scoring_request import ScoringRequest
from optimize_app.evaluation.services.scoring.scoring import check_scoring
from optimize_app.evaluation.services.suites.pinning import pin_plan
from optimize_app.evaluation.services.sweeps.budget import open_sweep_budget
from optimize_app.evaluation.store.pinned_suites import SweptVersion, remember_versions
from optimize_app.serving.request import SERVE_QUEUE
from tapes_app.agents.services.known_prices import require_prices
from tapes_app.agents.store.agents import load_versions
from tapes_app.batches.services.rerun_preview import choose_tapes, preview_rerun
from tapes_app.bulk.services.version_freezing import freeze_named_versions, freeze_version
from tapes_app.bulk.store.dataset_versions import read_expected, read_now
from tapes_app.bulk.store.made_batches import check_new_name
from tapes_app.engine.errors import InvalidInputError
from tapes_app.jobs.services.stages import start_stages
from tapes_app.jobs.store.commands import change_request
from tapes_app.jobs.store.job import Job
from tapes_app.library.services.bulk_job import load_bulk_job
from tapes_app.library.services.selection import TapeSelection
from tapes_app.projects.domain.columns import check_name
from tapes_app.projects.services.people import Person
from tapes_app.tapes.store.batches import list_names

_ROOM = 20
"""Characters that a run's name needs in addition to the name of what is run."""

_GROUP = UUID("0b7b8c1e-3a52-4f0e-8a5d-2f5f2f0f6c11")


@transaction.atomic
def start_sweep(person: Person, request: SweepRequest, *, dataset_id: UUID | None = None) -> Job:
    """Queue a sweep. Its tasks are the tapes that the selection matches now.

    Freezes the datasets that its query names, and the one given as the source of the tasks.

    Raises:
        NotFoundError: no such agent version or model, or not all of the named tapes.
        ModelKeyMissingError: a model cannot be asked.
        InvalidInputError: no tape is chosen, an agent can start at none of them, two variants are
            the same, it would be too many runs, or a dollar limit is set and a model has no price.
        ConflictError: a batch already has a name that a cell needs.
    """
    check_name(request.name, NAME_LENGTH, "The name")
    named = freeze_named_versions(person, request)
    tasks = choose_tasks(person, request)
    of_dataset = () if dataset_id is None else (freeze_version(dataset_id, person.project_id),)
    plan = request.plan(tasks, stands_on=(*named, *of_dataset))
    if plan.scoring is None and _expects_otherwise(plan):
        plan = plan.model_copy(update={"scoring": ScoringRequest(scorer=AnswerScorer())})
    return queue_plan(person, pin_plan(person.project_id, plan))


@transaction.atomic
def queue_plan(person: Person, plan: Plan) -> Job:
    """Queue a sweep whose plan is complete.

    Raises:
        NotFoundError: no such agent version or model, or not all of the tapes.
        ModelKeyMissingError: a model cannot be asked.
        InvalidInputError: an agent can start at none of the tasks, or a dollar limit is set and a
            model has no price.
        ConflictError: a batch already has a name that a cell needs.
    """
    if plan.scoring is not None:
        scoring = check_scoring(person, plan.scoring, plan.budget)
        plan = plan.model_copy(update={"scoring": scoring})
    _check(person, plan, plan.variants, plan.tasks[0])
    job = start_stages(
        person,
        SWEEP_KIND,
        plan.model_dump(mode="json"),
        title=f"Evaluate {plan.name}",
        queue=SERVE_QUEUE,
        group=_GROUP,
    )
    open_sweep_budget(job.id, plan, ())
    remember_versions(list_swept_versions(person, job.id, plan))
    return job


def name_next(person: Person, name: str) -> str:
    """Return the name of the next run of something: `smoke, run 3`, with batches `… A1`."""
    beginning = f"{name[: NAME_LENGTH - _ROOM]}, run "
    ends = (one.removeprefix(beginning) for one in list_names(person.project_id, beginning))
    numbers = [int(found[1]) for end in ends if (found := re.match(r"(\d{1,9}) ", end))]
    return f"{beginning}{max(numbers, default=0) + 1}"


def amend_sweep(person: Person, job_id: UUID, amendment: SweepAmendment) -> Job:
    """Give a sweep more variants, attempts or tasks, another budget, or retry what failed.

    It may be running or finished; what it has done is reused.

    Raises:
        NotFoundError: there is no such sweep, agent version, model or tape.
        ModelKeyMissingError: a model cannot be asked.
        InvalidInputError: nothing is added, it would be too many runs, or a dollar limit is set and
            a model has no price.
        ConflictError: a batch already has a name that a new cell needs.
    """
    if amendment == SweepAmendment():
        raise InvalidInputError(
            "Nothing is added. Give variants, seeds, repeats, tasks or a budget, or ask to retry."
        )
    before = Plan.model_validate(load_bulk_job(person, job_id, SWEEP_KIND).request)
    tasks = choose_more_tasks(person, amendment.tasks, before)
    stands_on = freeze_named_versions(person, amendment.tasks) if amendment.tasks else ()
    after = amendment.amend(before, tasks, stands_on=stands_on)
    known = {cell.key for cell in before.cells}
    variants = after.variants if tasks else amendment.variants
    _check(person, after, variants, tasks or after.tasks[0], known=known)
    if after.scoring is not None and after.budget.micro_usd is not None:
        # There may have been no such limit before.
        check_scoring(person, after.scoring, after.budget)

    def change(request: Mapping[str, Any]) -> dict[str, Any]:
        # Keep what others have added in the meantime.
        plan = Plan.model_validate(request)
        amended = amendment.amend(plan, tasks, stands_on=stands_on)
        if plan.pins is not None:
            amended = pin_plan(person.project_id, amended)
        return amended.model_dump(mode="json")

    with transaction.atomic():
        job = change_request(person.project_id, job_id, change)
        changed = Plan.model_validate(job.request)
        started = Progress.model_validate(job.checkpoint or {}).runs.values()
        open_sweep_budget(job_id, changed, started)
        remember_versions(list_swept_versions(person, job_id, changed))
    return job


def list_swept_versions(person: Person, job_id: UUID, plan: Plan) -> list[SweptVersion]:
    """Return the variants that are an unchanged agent version, by the datasets of the tasks.

    Another model or other parameters make it something else; the model of an agent that has none of
    its own is always somebody's choice.
    """
    wanted = [variant.agent_version_id for variant in plan.variants]
    choosing = {row.id for row in load_versions(wanted, person.project_id) if row.needs_model}
    return [
        SweptVersion(job_id, number, variant.agent_version_id, dataset_id)
        for number, variant in enumerate(plan.variants)
        if not variant.parameters
        and (variant.model_id is None or variant.agent_version_id in choosing)
        for dataset_id in {one.dataset_id: None for one in plan.stands_on}
    ]


def _expects_otherwise(plan: Plan) -> bool:
    """Whether a dataset version of the plan expects another answer than its tapes do now."""
    now = read_now(plan.tasks[0])
    return any(
        now.get(tape_id, expected) != expected
        for one in plan.stands_on
        for tape_id, expected in read_expected(one.dataset_id, one.version, plan.tasks[0])
    )


def choose_tasks(person: Person, selection: TapeSelection) -> tuple[UUID, ...]:
    """Return the tapes whose first steps are run again.

    Raises:
        NotFoundError: not all of the named tapes are in the project.
        InvalidInputError: no tape is chosen, or too many are.
    """
    chosen = choose_tapes(person, selection)
    if not chosen:
        raise InvalidInputError(
            "No tape matches. Choose tasks, such as those of a dataset.", field="q"
        )
    return tuple(chosen)


def choose_more_tasks(
    person: Person, selection: TapeSelection | None, plan: Plan
) -> tuple[UUID, ...]:
    """Return the chosen tapes that a sweep does not have yet; empty without a selection.

    Raises:
        NotFoundError: not all of the named tapes are in the project.
        InvalidInputError: all of them are in the sweep, none is chosen, or too many are.
    """
    if selection is None:
        return ()
    known = {task for group in plan.tasks for task in group}
    added = tuple(task for task in choose_tasks(person, selection) if task not in known)
    if not added:
        raise InvalidInputError("All of these tasks are in the sweep already.")
    return added


def _check(
    person: Person,
    plan: Plan,
    variants: Iterable[Variant],
    tasks: tuple[UUID, ...],
    *,
    known: Iterable[str] = (),
) -> None:
    """Reject a plan that could not run: each variant must be able to start at a task."""
    old = set(known)
    for cell in plan.cells:
        if cell.key not in old:
            check_new_name(person.project_id, plan.batch_of(cell))
    for variant in variants:
        found = preview_rerun(person, plan.spec_of(variant, tasks))
        if not found.fitting:
            ((why, _),) = found.left_out.most_common(1)
            raise InvalidInputError(f"An agent can begin at none of the tasks: {why}")
    check_prices(person, plan)


def check_prices(person: Person, plan: Plan) -> None:
    """Refuse a limit in dollars that could not be kept.

    Raises:
        PriceUnknownError: a variant asks a model that has neither its own nor a listed price.
    """
    if plan.budget.micro_usd is None:
        return
    for variant in plan.variants:  # earlier variants may have had no such limit
        require_prices(
            person.project_id,
            variant.agent_version_id,
            model_id=variant.model_id,
            instead="tokens or calls",
        )
