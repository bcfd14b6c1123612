"""Rows of lists of tapes: what is shown of a stored tape before it is opened."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any
from uuid import UUID

from django.db.models import F, QuerySet
from django.db.models.functions import Substr

from tapes_app.jobs.domain.protocol import LIVE_STATES
from tapes_app.models import JobRecord, TapeRecord, TapeTagRecord
from tapes_app.tapes.domain.rows import Totals

EXCERPT_LENGTH = 300
"""How many characters of an expected or actual answer a list shows."""

ANSWERS = ("expected", "actual")
_TOTALS = tuple(asdict(Totals()))
_PLAIN = (
    "id", "title", "agent_name", "author", "batch_id", "parent_id", "step_count", "error_count",
    "has_error", "is_kept_from_training", "split", "created_at", "updated_at", "task", "outcome",
    "score",
)  # fmt: skip
_OTHERS = ("pinned_at", "archived_at", *_TOTALS)

Columns = Mapping[str, Any]
"""The columns read of one tape. They are not a record: making one takes as long as reading it."""


def row_columns(tapes: QuerySet[TapeRecord]) -> QuerySet[TapeRecord, dict[str, Any]]:
    """Read the columns for rows of a list; the database truncates answers."""
    starts = {f"{name}_excerpt": Substr(name, 1, EXCERPT_LENGTH) for name in ANSWERS}
    names: dict[str, Any] = {"batch_name": F("batch__name")}
    found: QuerySet[TapeRecord, dict[str, Any]]
    found = tapes.values(*_PLAIN, *_OTHERS, **names, **starts)
    return found


def columns_of(record: TapeRecord) -> Columns:
    """Return the same columns, without answers, from a record that was read anyway."""
    own = {name: getattr(record, name) for name in (*_PLAIN, *_OTHERS)}
    return {**own, "batch_name": record.batch.name if record.batch else None}


def read_excerpts(row: Columns) -> dict[str, Any]:
    """Return the answers for a row of a list."""
    return {name: row[f"{name}_excerpt"] for name in ANSWERS}


def read_answers(tape_ids: Sequence[UUID]) -> dict[UUID, dict[str, Any]]:
    """Return the complete answers of some tapes."""
    tapes = TapeRecord.objects.filter(id__in=tape_ids).values_list("id", *ANSWERS)
    return {tape_id: dict(zip(ANSWERS, answers, strict=True)) for tape_id, *answers in tapes}


def read_fields(rows: Sequence[Columns]) -> list[dict[str, Any]]:
    """Return what rows and headers have in common, for each of the given tapes, in two queries.

    Answers are excluded: the caller knows how much of them to show.
    """
    ids = [row["id"] for row in rows]
    jobs, tags = _active_jobs(ids), _tags(ids)
    return [_fields(row, jobs.get(row["id"]), tags.get(row["id"], ())) for row in rows]


def _active_jobs(tape_ids: Sequence[UUID]) -> dict[UUID, UUID]:
    jobs = JobRecord.objects.filter(tape_id__in=tape_ids, state__in=LIVE_STATES)
    return dict(jobs.order_by("created_at").values_list("tape_id", "id"))


def _tags(tape_ids: Sequence[UUID]) -> dict[UUID, tuple[str, ...]]:
    found: defaultdict[UUID, list[str]] = defaultdict(list)
    tags = TapeTagRecord.objects.filter(tape_id__in=tape_ids).order_by("name")
    for tape_id, name in tags.values_list("tape_id", "name"):
        found[tape_id].append(name)
    return {tape_id: tuple(names) for tape_id, names in found.items()}


def _fields(row: Columns, active_job_id: UUID | None, tags: tuple[str, ...]) -> dict[str, Any]:
    return {
        **{name: row[name] for name in _PLAIN},
        "tags": tags,
        "batch_name": row["batch_name"] or "",
        "is_pinned": row["pinned_at"] is not None,
        "is_archived": row["archived_at"] is not None,
        "totals": Totals(**{name: row[name] for name in _TOTALS}),
        "active_job_id": active_job_id,
    }
