"""Rows of lists of tapes: what a stored tape shows before it is opened."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.db.models.functions import Substr

from tapes_app.models import JobRecord, TapeRecord, TapeTagRecord
from tapes_app.storage.rows import Totals
from tapes_app.storage.tape_conditions import LIVE_STATES

EXCERPT_LENGTH = 300
"""Characters of an expected or actual answer that a list shows."""

ANSWERS = ("expected", "actual")
_UNREAD_COLUMNS = ("metadata", "context", "spans", *ANSWERS)
"""Long ones that no row shows whole."""


def with_excerpts(tapes: QuerySet[TapeRecord]) -> QuerySet[TapeRecord]:
    """Let the database cut the answers: 200 rows would bring megabytes that nobody sees."""
    starts = {f"{name}_excerpt": Substr(name, 1, EXCERPT_LENGTH) for name in ANSWERS}
    return tapes.select_related("batch").defer(*_UNREAD_COLUMNS).annotate(**starts)


def read_excerpts(record: TapeRecord) -> dict[str, Any]:
    """Return the answers of a tape that was read `with_excerpts`."""
    return {name: getattr(record, f"{name}_excerpt") for name in ANSWERS}


def read_answers(tape_ids: Sequence[UUID]) -> dict[UUID, dict[str, Any]]:
    """Return the answers of some tapes whole."""
    tapes = TapeRecord.objects.filter(id__in=tape_ids).values_list("id", *ANSWERS)
    return {tape_id: dict(zip(ANSWERS, said, strict=True)) for tape_id, *said in tapes}


def read_fields(records: Sequence[TapeRecord]) -> list[dict[str, Any]]:
    """Return what rows and headers have in common, for each of some tapes, in two queries.

    All but the answers: who shows them knows how much of them.
    """
    ids = [record.id for record in records]
    jobs, tags = _active_jobs(ids), _tags(ids)
    return [_fields(record, jobs.get(record.id), tags.get(record.id, ())) for record in records]


def _active_jobs(tape_ids: Sequence[UUID]) -> dict[UUID, UUID]:
    jobs = JobRecord.objects.filter(tape_id__in=tape_ids, state__in=LIVE_STATES)
    return dict(jobs.order_by("created_at").values_list("tape_id", "id"))


def _tags(tape_ids: Sequence[UUID]) -> dict[UUID, tuple[str, ...]]:
    found: defaultdict[UUID, list[str]] = defaultdict(list)
    tags = TapeTagRecord.objects.filter(tape_id__in=tape_ids).order_by("name")
    for tape_id, name in tags.values_list("tape_id", "name"):
        found[tape_id].append(name)
    return {tape_id: tuple(names) for tape_id, names in found.items()}


def _fields(
    record: TapeRecord, active_job_id: UUID | None, tags: tuple[str, ...]
) -> dict[str, Any]:
    names = (
        "id", "title", "agent_name", "author", "batch_id", "parent_id", "step_count",
        "error_count", "has_error", "is_kept_from_training", "split", "created_at", "updated_at",
        "task", "outcome", "score",
    )  # fmt: skip
    return {
        **{name: getattr(record, name) for name in names},
        "tags": tags,
        "batch_name": record.batch.name if record.batch else "",
        "is_pinned": record.pinned_at is not None,
        "is_archived": record.archived_at is not None,
        "totals": Totals(**{name: getattr(record, name) for name in _TOTALS}),
        "active_job_id": active_job_id,
    }


_TOTALS = tuple(asdict(Totals()))
