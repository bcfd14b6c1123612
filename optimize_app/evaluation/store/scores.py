"""Scorings of sweeps and the scores of their attempts: storing, reading and summing them."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Count, F, Q, QuerySet, Sum
from django.utils import timezone

from optimize_app.models import ScoreRecord, ScoringRecord
from tapes_app.engine.model.messages import digest_json
from tapes_app.projects.domain.columns import fit_text
from tapes_app.projects.domain.rows import row_of
from tapes_app.projects.store.records import get_record

_LONGEST_EXPLANATION = 2_000
_PAGE = 500
_TO_ASK_AGAIN = Q(value__isnull=True, asked_again_at__isnull=False)


@dataclass(frozen=True, slots=True)
class StoredScore:
    """An attempt's score by one scorer."""

    value: float | None
    """From 0 to 1; `None`: it could not be decided."""

    passed: bool | None
    explanation: str
    judge_call_id: UUID | None = None
    """The last call of its verdict."""

    earlier_call_ids: tuple[UUID, ...] = ()
    """The calls before it; only `read_judge_calls` reads these from the store."""

    preferred: str = ""
    """For a comparison: the preferred place with the attempt shown first, and with it shown
    second."""

    asked_again_at: datetime | None = None
    """Since when it is asked again, or has a value that it had not before."""


@dataclass(frozen=True, slots=True)
class JudgeSpending:
    """What all judges of a sweep have spent."""

    tokens: int
    micro_usd: int
    calls: int


@dataclass(frozen=True, slots=True)
class ScoringRow:
    """All attempts of a sweep scored by one scorer."""

    id: UUID
    sweep_id: UUID
    scorer: dict[str, Any]
    created_at: datetime
    tokens: int
    micro_usd: int
    unpriced_call_count: int
    scored_count: int
    not_scored_count: int
    """Attempts that could not be decided."""


def ensure_scoring(
    project: UUID, sweep_id: UUID, scorer: Mapping[str, Any], *, owner: int | None
) -> UUID:
    """Return the scoring of a sweep by a scorer; the same scorer always gets the same one."""
    found, _ = ScoringRecord.objects.get_or_create(
        sweep_id=sweep_id,
        digest=digest_json(scorer).hex(),
        defaults={"project_id": project, "owner_id": owner, "scorer": dict(scorer)},
    )
    return found.id


def load_scoring(scoring_id: UUID, project: UUID, sweep_id: UUID) -> ScoringRow:
    """Return one scoring of a sweep.

    Raises:
        NotFoundError: the sweep has no scoring of this id.
    """
    rows = _counted(project, sweep_id)
    return _row(get_record(rows, "Scoring not found.", scoring_id=scoring_id))


def list_scorings(project: UUID, sweep_id: UUID) -> list[ScoringRow]:
    """Return the scorings of a sweep, oldest first."""
    return [_row(record) for record in _counted(project, sweep_id).order_by("created_at", "id")]


def find_scored(scoring_id: UUID) -> set[UUID]:
    """Return the tapes that a scoring has a score of, or knows that it cannot score."""
    scores = ScoreRecord.objects.filter(scoring_id=scoring_id).exclude(_TO_ASK_AGAIN)
    return set(scores.order_by().values_list("tape_id", flat=True))


def save_scores(scoring_id: UUID, scores: Mapping[UUID, StoredScore]) -> None:
    """Store scores; an attempt that already has one keeps it, unless it is to be asked again."""
    again = ScoreRecord.objects.filter(_TO_ASK_AGAIN, scoring_id=scoring_id, tape_id__in=scores)
    for record in again:
        for name, value in _columns_of(scores[record.tape_id]).items():
            setattr(record, name, value)
        if record.value is None:
            record.asked_again_at = None
        record.save()
    ScoreRecord.objects.bulk_create(
        (
            ScoreRecord(scoring_id=scoring_id, tape_id=tape_id, **_columns_of(score))
            for tape_id, score in scores.items()
        ),
        ignore_conflicts=True,
    )


def ask_unscored_again(scoring_id: UUID) -> None:
    """Have what could not be decided asked again; until then it is missing as before."""
    unscored = ScoreRecord.objects.filter(scoring_id=scoring_id, value__isnull=True)
    unscored.update(asked_again_at=timezone.now())


def _columns_of(score: StoredScore) -> dict[str, Any]:
    return {
        "value": score.value,
        "passed": score.passed,
        "explanation": fit_text(score.explanation, _LONGEST_EXPLANATION),
        "judge_call_id": score.judge_call_id,
        "earlier_call_ids": [str(call_id) for call_id in score.earlier_call_ids],
        "preferred": score.preferred,
    }


def lock_job(scoring_id: UUID) -> UUID | None:
    """Return the newest job of a scoring, and prevent others from starting one meanwhile.

    Call it in a transaction.
    """
    return ScoringRecord.objects.select_for_update().get(id=scoring_id).job_id


def set_job(scoring_id: UUID, job_id: UUID) -> None:
    """Record which job scores."""
    ScoringRecord.objects.filter(id=scoring_id).update(job_id=job_id)


def sum_judges(sweep_id: UUID) -> JudgeSpending:
    """Return what all scorings of a sweep have spent."""
    sums = ScoringRecord.objects.filter(sweep_id=sweep_id).aggregate(
        tokens=Sum("tokens"), micro_usd=Sum("micro_usd"), calls=Sum("call_count")
    )
    return JudgeSpending(**{name: value or 0 for name, value in sums.items()})


def add_spending(
    scoring_id: UUID, *, tokens: int, micro_usd: int, calls: int, unpriced: int
) -> None:
    """Add to what a judge has spent."""
    ScoringRecord.objects.filter(id=scoring_id).update(
        call_count=F("call_count") + calls,
        tokens=F("tokens") + tokens,
        micro_usd=F("micro_usd") + micro_usd,
        unpriced_call_count=F("unpriced_call_count") + unpriced,
    )


def read_scores(scoring_id: UUID, tape_ids: Collection[UUID] | None = None) -> dict[UUID, Any]:
    """Return the scores of a scoring by tape."""
    scores = ScoreRecord.objects.filter(scoring_id=scoring_id).order_by()
    columns = ("tape_id", "value", "passed", "explanation", "judge_call_id", "preferred",
               "asked_again_at")  # fmt: skip
    if tape_ids is None:
        return _by_tape(scores.values_list(*columns))
    ids, found = list(tape_ids), dict[UUID, StoredScore]()
    for start in range(0, len(ids), _PAGE):
        page = scores.filter(tape_id__in=ids[start : start + _PAGE])
        found |= _by_tape(page.values_list(*columns))
    return found


def read_judge_calls(scoring_id: UUID, tape_id: UUID) -> tuple[UUID, ...]:
    """Return the calls of one verdict in order; empty if no judge was asked."""
    scores = ScoreRecord.objects.filter(scoring_id=scoring_id, tape_id=tape_id)
    found = scores.values_list("judge_call_id", "earlier_call_ids").first()
    if found is None or found[0] is None:
        return ()
    return (*map(UUID, found[1]), found[0])


def _by_tape(rows: Iterable[tuple[Any, ...]]) -> dict[UUID, StoredScore]:
    return {
        tape_id: StoredScore(
            value, passed, explanation, call_id, preferred=preferred, asked_again_at=asked_again_at
        )
        for tape_id, value, passed, explanation, call_id, preferred, asked_again_at in rows
    }


def _counted(project: UUID, sweep_id: UUID) -> QuerySet[ScoringRecord, ScoringRecord]:
    rows = ScoringRecord.objects.filter(project_id=project, sweep_id=sweep_id)
    return rows.annotate(
        scored_count=Count("scores", filter=Q(scores__value__isnull=False)),
        not_scored_count=Count("scores", filter=Q(scores__value__isnull=True)),
    )


def _row(record: ScoringRecord) -> ScoringRow:
    return row_of(ScoringRow, record)
