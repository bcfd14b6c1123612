"""What decides a report: the outcome of each tape, or one of the scorings of the sweep."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from pydantic import TypeAdapter

from optimize_app.evaluation.plan import Plan
from optimize_app.evaluation.scoring.scorers import JudgingScorer, Scorer, describe_scorer
from optimize_app.evaluation.scoring_request import ExpectedAs, ScoringRequest
from optimize_app.evaluation.store import scores as storage
from optimize_app.evaluation.store.scores import ScoringRow, StoredScore
from tapes_app.agents.store.llm_models import load_model
from tapes_app.engine.errors import NotFoundError
from tapes_app.engine.model.messages import digest_json
from tapes_app.projects.services.people import Person

By = UUID | Literal["outcome"]

_OUTCOME = "The answer is the expected one, or a person says so."
_REQUEST: TypeAdapter[ScoringRequest] = TypeAdapter(ScoringRequest)


@dataclass(frozen=True, slots=True)
class DecidedBy:
    """What passes and fails in a report."""

    scoring_id: UUID | None
    """`None`: the outcome of each tape."""

    words: str
    """What passes, in a sentence."""

    scorer: Scorer | None
    expected: ExpectedAs
    """Which expected answers the scorer was given."""

    judge: str
    """Name of the model that judges; empty if none does."""

    scored_count: int
    not_scored_count: int
    """Attempts that it could not decide; they are missing."""

    tokens: int
    cost_micro_usd: int
    unpriced_call_count: int
    """Tokens, cost and unpriced calls are the judge's, on top of what the runs spent."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What decides a report, and what else could."""

    by: DecidedBy
    scores: Mapping[UUID, StoredScore] | None
    """`None`: outcomes decide."""

    scorings: list[DecidedBy]


def is_own(by: DecidedBy, plan: Plan) -> bool:
    """Whether a sweep was started with this decision, rather than scored by it afterwards."""
    own = plan.scoring and (plan.scoring.scorer, plan.scoring.expected)
    return own == (by.scorer and (by.scorer, by.expected))


def choose_decision(person: Person, sweep_id: UUID, plan: Plan, by: By | None) -> Decision:
    """Return what decides a report.

    Raises:
        NotFoundError: the sweep has no such scoring.
    """
    rows = storage.list_scorings(person.project_id, sweep_id)
    known = [_describe_row(person, row) for row in rows]
    if by is None and plan.scoring is not None:
        return _choose_own(person, plan.scoring, rows, known)
    if isinstance(by, UUID):
        chosen = next((row for row in rows if row.id == by), None)
        if chosen is None:
            raise NotFoundError("Scoring not found.", scoring_id=str(by))
        return Decision(_describe_row(person, chosen), storage.read_scores(chosen.id), known)
    return Decision(_by_outcome(), None, known)


def _choose_own(
    person: Person, request: ScoringRequest, rows: list[ScoringRow], known: list[DecidedBy]
) -> Decision:
    """Return the decision by a sweep's own scoring, which has no id before the first score."""
    wanted = digest_json(request.model_dump(mode="json"))
    own = next((row for row in rows if digest_json(row.scorer) == wanted), None)
    if own is not None:
        return Decision(_describe_row(person, own), storage.read_scores(own.id), known)
    return Decision(_describe(person, None, request), {}, known)


def list_other_scorings(
    person: Person, sweep_id: UUID, by: DecidedBy
) -> list[tuple[UUID, DecidedBy]]:
    """Return all scorings of a sweep except the given one, oldest first."""
    rows = storage.list_scorings(person.project_id, sweep_id)
    return [(row.id, _describe_row(person, row)) for row in rows if row.id != by.scoring_id]


def _by_outcome() -> DecidedBy:
    return DecidedBy(None, _OUTCOME, None, "frozen", "", 0, 0, 0, 0, 0)


def _describe_row(person: Person, row: ScoringRow) -> DecidedBy:
    return _describe(person, row, _REQUEST.validate_python(row.scorer))


def _describe(person: Person, row: ScoringRow | None, request: ScoringRequest) -> DecidedBy:
    scorer = request.scorer
    words = describe_scorer(scorer)
    return DecidedBy(
        scoring_id=row.id if row else None,
        words=words,
        scorer=scorer,
        expected=request.expected,
        judge=_name_judge(person, scorer),
        scored_count=row.scored_count if row else 0,
        not_scored_count=row.not_scored_count if row else 0,
        tokens=row.tokens if row else 0,
        cost_micro_usd=row.micro_usd if row else 0,
        unpriced_call_count=row.unpriced_call_count if row else 0,
    )


def _name_judge(person: Person, scorer: Scorer) -> str:
    if not isinstance(scorer, JudgingScorer):
        return ""
    try:
        return load_model(scorer.model_id, person.project_id).name
    except NotFoundError:
        return "a model that is gone"
