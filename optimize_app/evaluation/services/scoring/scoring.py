"""Scoring the attempts of a sweep: requesting it, and finding the attempts to score."""

from collections.abc import Iterable
from typing import NamedTuple
from uuid import UUID

from django.db import transaction
from pydantic import BaseModel, ConfigDict

from optimize_app.evaluation.plan import Plan, Progress, SweepBudget
from optimize_app.evaluation.request import SWEEP_KIND
from optimize_app.evaluation.scoring.scorers import (
    JudgingScorer,
    LintScorer,
    validate_scorer,
)
from optimize_app.evaluation.scoring_request import SCORING_KIND, ScoringRequest
from optimize_app.evaluation.services.scoring.measuring import freeze_rule
from optimize_app.evaluation.services.sweeps.budget import load_sweep_account
from optimize_app.evaluation.services.sweeps.swept_tapes import read_attempts
from optimize_app.evaluation.store import scores as storage
from tapes_app.agents.services.known_prices import require_priced
from tapes_app.bulk.store.dataset_versions import read_expected
from tapes_app.engine.errors import ConflictError, NotFoundError
from tapes_app.experiments.domain.checks import Ended
from tapes_app.experiments.services.judging import build_judge
from tapes_app.experiments.store.attempt_rows import AttemptRow
from tapes_app.jobs.domain.protocol import FINAL_STATES
from tapes_app.jobs.services.registry import Outcome
from tapes_app.jobs.store.job import Job, create_job, load_jobs
from tapes_app.library.services.bulk_job import load_bulk_job
from tapes_app.projects.domain.wording import count_of
from tapes_app.projects.services.people import Person
from tapes_app.runs.domain.reservations import Account
from tapes_app.tapes.store.loading import load_tape

_LEFT = "left"


class ScoringJob(BaseModel):
    """The data of a scoring's job."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    sweep_id: UUID
    scoring_id: UUID
    request: ScoringRequest


class BudgetUsedUpError(ConflictError):
    """The judge has no budget left."""

    code = "budget_used_up"


def check_scoring(person: Person, request: ScoringRequest, budget: SweepBudget) -> ScoringRequest:
    """Return a request as it is kept: with the text of the linter rule that it names.

    A scorer that could not score anything, or whose spending could not be counted, is refused.

    Raises:
        InvalidInputError: a pattern, an expression or a rule cannot be read, or no plugin has
            the function.
        NotFoundError: the project has no such judge or linter rule.
        ModelKeyMissingError: the judge has no key.
        PriceUnknownError: dollars are limited, and the judge's price is unknown.
    """
    validate_scorer(request.scorer)
    if isinstance(request.scorer, LintScorer):
        scorer = freeze_rule(person, request.scorer)
        return request.model_copy(update={"scorer": scorer})
    if isinstance(request.scorer, JudgingScorer):
        judge = build_judge(person.project_id, request.scorer.model_id)
        if budget.micro_usd is not None:
            require_priced([judge], instead="tokens or calls")
    return request


def start_scoring(person: Person, sweep_id: UUID, request: ScoringRequest) -> Job:
    """Queue the scoring of a sweep's finished attempts; no new run is needed.

    Attempts that this scorer has scored keep their score; those it could not score are tried again.
    If such a job is running already, that job is returned: nothing is paid for twice.

    Raises:
        NotFoundError: the project has no such sweep, judge or linter rule.
        InvalidInputError: the scorer could not score anything.
        ModelKeyMissingError: the judge has no key.
        PriceUnknownError: dollars are limited, and the judge's price is unknown.
        BudgetUsedUpError: the judge would have no budget left.
    """
    name, request = _check_affordable(person, sweep_id, request)
    return queue_scoring(person, sweep_id, name, request, retries_unscored=True).job


def check_rescoring(person: Person, sweep_id: UUID, request: ScoringRequest) -> None:
    """Check whether a sweep could be scored by another scorer; nothing is queued.

    Raises:
        StudioError: it could not, as `start_scoring` says.
    """
    _check_affordable(person, sweep_id, request)


def _check_affordable(
    person: Person, sweep_id: UUID, request: ScoringRequest
) -> tuple[str, ScoringRequest]:
    """Return the sweep's name, and the request as it is kept."""
    sweep = load_bulk_job(person, sweep_id, SWEEP_KIND)
    plan = Plan.model_validate(sweep.request)
    request = check_scoring(person, request, plan.budget)
    reason = load_sweep_account(sweep.id, plan).explain_used_up()
    if isinstance(request.scorer, JudgingScorer) and reason:
        raise BudgetUsedUpError(
            f"The judge has no budget left. {reason} Give the sweep a larger budget "
            "under Add to it, or score without a model."
        )
    return plan.name, request


class QueuedScoring(NamedTuple):
    """The job that scores, and whether this call started it."""

    job: Job
    is_new: bool


@transaction.atomic
def queue_scoring(
    person: Person,
    sweep_id: UUID,
    name: str,
    request: ScoringRequest,
    *,
    retries_unscored: bool = False,
) -> QueuedScoring:
    """Queue a scoring of a sweep, unless one by the same scorer is running.

    `retries_unscored`: ask again about what it could not decide.
    """
    scoring_id = _ensure(person, sweep_id, request)
    newest = storage.lock_job(scoring_id)
    found = load_jobs(person.project_id, [newest]).get(newest) if newest else None
    if found is not None and found.state not in FINAL_STATES:
        return QueuedScoring(found, is_new=False)
    if retries_unscored:
        storage.ask_unscored_again(scoring_id)
    job = ScoringJob(sweep_id=sweep_id, scoring_id=scoring_id, request=request)
    made = create_job(
        person.project_id,
        SCORING_KIND,
        request=job.model_dump(mode="json"),
        title=f"Score {name}",
        owner_id=person.user_id,
    )
    storage.set_job(scoring_id, made.id)
    return QueuedScoring(made, is_new=True)


def finish_scoring(job: ScoringJob, count: int, left: int, reason: str) -> Outcome:
    """Return a scoring's outcome; `left` attempts were not scored, as the budget is used up."""
    words = f"{count_of(count, 'attempt')} scored."
    result = {"scoring_id": str(job.scoring_id), _LEFT: left}
    return Outcome(
        message=f"{words} {left:,} not scored: {reason}" if left else words, result=result
    )


def count_unscored(job: Job) -> int:
    """Return how many attempts a scoring left out because the budget was used up."""
    return int((job.result or {}).get(_LEFT, 0))


def load_spent(person: Person, sweep_id: UUID) -> Account:
    """Return the account of a sweep; read before every page, as a person may change its limits.

    Raises:
        NotFoundError: the sweep was deleted.
    """
    sweep = load_bulk_job(person, sweep_id, SWEEP_KIND)
    return load_sweep_account(sweep_id, Plan.model_validate(sweep.request))


def _ensure(person: Person, sweep_id: UUID, request: ScoringRequest) -> UUID:
    asked = request.model_dump(mode="json")
    return storage.ensure_scoring(person.project_id, sweep_id, asked, owner=person.user_id)


def list_unscored(person: Person, job: ScoringJob) -> list[AttemptRow]:
    """Return the finished attempts that the scorer was not asked about.

    Raises:
        NotFoundError: the sweep was deleted.
    """
    sweep = load_bulk_job(person, job.sweep_id, SWEEP_KIND)
    plan = Plan.model_validate(sweep.request)
    runs = Progress.model_validate(sweep.checkpoint or {}).runs
    scored = storage.find_scored(job.scoring_id)
    return [
        one.row
        for one in read_attempts(plan, runs)
        if one.row.can_be_judged and one.row.tape_id not in scored
    ]


def find_expected(person: Person, job: ScoringJob, rows: Iterable[AttemptRow]) -> dict[UUID, str]:
    """Return the expected answers of attempts, by tape.

    Raises:
        NotFoundError: the sweep was deleted.
    """
    rows = list(rows)
    if job.request.expected == "now":
        return {row.tape_id: row.expected_now or "" for row in rows}
    plan = Plan.model_validate(load_bulk_job(person, job.sweep_id, SWEEP_KIND).request)
    starts = {row.start_id for row in rows if row.start_id is not None}
    frozen: dict[UUID, str] = {}
    for one in plan.stands_on:
        frozen |= dict(read_expected(one.dataset_id, one.version, starts))
    return {
        row.tape_id: frozen.get(row.start_id, row.expected) if row.start_id else row.expected
        for row in rows
    }


def find_ended(row: AttemptRow, project: UUID) -> Ended | None:
    """Return how an attempt ended; `None`: its tape was deleted in the meantime."""
    try:
        return Ended(load_tape(row.tape_id, project), row.kept_count, row.status)
    except NotFoundError:
        return None
