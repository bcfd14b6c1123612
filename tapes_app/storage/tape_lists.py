"""Reading about tapes: lists, headers, outlines, families; no step is parsed here."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from tapes_app.models import JobRecord, StepRecord, TapeRecord, TapeTagRecord
from tapes_app.storage.cursors import after_cursor, write_cursor
from tapes_app.storage.rows import (
    OutlineRow,
    Page,
    StepRow,
    TapeHeader,
    TapeRow,
    Totals,
)
from tapes_app.storage.snippets import find_snippets
from tapes_app.storage.spans import count_shared_start, cut_spans, places, read_spans
from tapes_app.storage.tape_access import get_tape, spans_filter
from tapes_app.storage.tape_conditions import LIVE_STATES
from tapes_app.storage.tape_outcomes import outcome_of
from tapes_app.storage.tape_plans import TapeFilter, plan_list
from tapes_app.storage.tape_scans import BUDGET_SECONDS, Plan, scan, scan_all

MAX_PAGE = 200


@dataclass(frozen=True, slots=True)
class TapePage(Page[TapeRow]):
    """Some tapes of a list. A page that is cut may hold few or none, and `next` searches on."""

    searched_count: int | None = None
    """Of a search that looks into steps: how many tapes it looked at for this page."""

    is_cut: bool = False
    """The time was up before the page was full."""


def list_tapes(
    project: UUID,
    where: TapeFilter | None = None,
    *,
    after: str | None = None,
    limit: int = 50,
    budget_seconds: float = BUDGET_SECONDS,
) -> TapePage:
    """Return a page of tapes, newest first; `after` is the `next` of the page before.

    Conditions on steps are looked for as long as `budget_seconds` allow.

    Raises:
        InvalidInputError: `after` is no cursor.
        NotFoundError: the tape of `family_of` is not in this project.
    """
    limit = max(1, min(limit, MAX_PAGE))
    plan = plan_list(project, where or TapeFilter())
    if plan.is_light:
        conditions = plan.light & after_cursor(after)
        found = list(_records(conditions)[: limit + 1])
        records = found[:limit]
        is_last = len(found) <= limit
        mark = None if is_last else write_cursor(records[-1].created_at, records[-1].id)
        return TapePage(_rows(records, plan), mark)
    scanned = scan(project, plan, after=after, limit=limit, budget_seconds=budget_seconds)
    records = list(_records(Q(id__in=scanned.ids)))
    return TapePage(_rows(records, plan), scanned.next, scanned.searched_count, scanned.is_cut)


def _records(conditions: Q) -> QuerySet[TapeRecord]:
    return (
        TapeRecord.objects.filter(conditions)
        .select_related("batch")
        .defer("metadata", "context", "spans", "expected", "actual")
        .order_by("-created_at", "-id")
    )


def _rows(records: Sequence[TapeRecord], plan: Plan) -> tuple[TapeRow, ...]:
    ids = [record.id for record in records]
    jobs, tags = _active_jobs(ids), _tags_of(ids)
    snippets = find_snippets(plan.words, ids)
    return tuple(
        TapeRow(
            **_row_fields(record, jobs.get(record.id), tags.get(record.id, ())),
            snippet=snippets.get(record.id, ()),
        )
        for record in records
    )


def count_tapes(project: UUID, where: TapeFilter) -> int:
    """Return how many tapes a list has in all.

    Raises:
        InvalidInputError: the list asks about so many steps that this takes too long.
    """
    plan = plan_list(project, where)
    if plan.is_light:
        return TapeRecord.objects.filter(plan.light).count()
    return len(scan_all(project, plan))


def list_all_ids(project: UUID, where: TapeFilter) -> list[UUID]:
    """Return all tapes of a list, for what is done with every one of them.

    Raises:
        InvalidInputError: the list asks about so many steps that this takes too long.
    """
    plan = plan_list(project, where)
    if plan.is_light:
        records = TapeRecord.objects.filter(plan.light).order_by()
        return list(records.values_list("id", flat=True))
    return list(scan_all(project, plan))


def load_header(tape_id: UUID, project: UUID) -> TapeHeader:
    """Return everything about a tape but its steps.

    Raises:
        NotFoundError: no such tape in this project.
    """
    record = get_tape(tape_id, project, related=("batch", "parent", "agent_version", "root"))
    version = record.agent_version
    jobs = _active_jobs([record.id])
    return TapeHeader(
        **_row_fields(record, jobs.get(record.id), _tags_of([record.id]).get(record.id, ())),
        owner_id=record.owner_id,
        source_id=record.source_id,
        metadata=record.metadata,
        context=record.context,
        forked_at=record.forked_at,
        root_id=record.root_id,
        parent_title=record.parent.title if record.parent else "",
        agent_id=version.agent_id if version else None,
        agent_version_id=record.agent_version_id,
        agent_version=version.number if version else None,
        version=record.version,
        digest=record.digest,
        task=record.task,
        expected=record.expected,
        actual=record.actual,
        outcome=outcome_of(record),
        score=record.score,
    )


def load_outline(tape_id: UUID, project: UUID) -> list[OutlineRow]:
    """Return a light row for each step of a tape, in two queries."""
    tape = get_tape(tape_id, project)
    return [OutlineRow(**fields) for fields in _step_fields(tape, 0, tape.step_count, ())]


def load_steps(tape_id: UUID, project: UUID, *, start: int = 0, count: int = 100) -> list[StepRow]:
    """Return some steps of a tape with their bodies, in two queries."""
    tape = get_tape(tape_id, project)
    extra = ("body", "edited_by__username", "created_at")
    return [
        StepRow(edited_by=fields.pop("edited_by__username") or "", **fields)
        for fields in _step_fields(tape, max(0, start), max(0, count), extra)
    ]


def count_shared_steps(tape_id: UUID, other_id: UUID, project: UUID) -> int:
    """Return with how many of the very same steps two tapes begin, as branches do."""
    one, other = (read_spans(get_tape(id, project).spans) for id in (tape_id, other_id))
    return count_shared_start(one, other)


def list_agent_names(project: UUID) -> list[str]:
    """Return the names of the agents that the project's tapes were made by."""
    names = TapeRecord.objects.filter(project_id=project, deleted_at__isnull=True)
    return list(names.order_by("agent_name").values_list("agent_name", flat=True).distinct())


def _active_jobs(tape_ids: Sequence[UUID]) -> dict[UUID, UUID]:
    jobs = JobRecord.objects.filter(tape_id__in=tape_ids, state__in=LIVE_STATES)
    return dict(jobs.order_by("created_at").values_list("tape_id", "id"))


def _tags_of(tape_ids: Sequence[UUID]) -> dict[UUID, tuple[str, ...]]:
    found: dict[UUID, list[str]] = defaultdict(list)
    rows = TapeTagRecord.objects.filter(tape_id__in=tape_ids).order_by("name")
    for tape_id, name in rows.values_list("tape_id", "name"):
        found[tape_id].append(name)
    return {tape_id: tuple(names) for tape_id, names in found.items()}


def _row_fields(
    record: TapeRecord, active_job_id: UUID | None, tags: tuple[str, ...]
) -> dict[str, Any]:
    names = (
        "id", "title", "agent_name", "author", "batch_id", "parent_id", "step_count",
        "error_count", "has_error", "is_kept_from_training", "split", "created_at", "updated_at",
    )  # fmt: skip
    return {
        **{name: getattr(record, name) for name in names},
        "batch_name": record.batch.name if record.batch else "",
        "is_pinned": record.pinned_at is not None,
        "is_archived": record.archived_at is not None,
        "totals": Totals(**{name: getattr(record, name) for name in _TOTALS}),
        "tags": tags,
        "active_job_id": active_job_id,
    }


_TOTALS = tuple(asdict(Totals()))
_CALL_COLUMNS = (
    "input_tokens", "cache_read_tokens", "output_tokens", "cost_micro_usd", "duration_seconds",
)  # fmt: skip
_STEP_COLUMNS = (
    "kind", "family", "writer", "agent", "node", "prompt_id", "gist", "is_error",
)  # fmt: skip


def _step_fields(
    tape: TapeRecord, start: int, count: int, extra: tuple[str, ...]
) -> Iterable[dict[str, Any]]:
    """Give the columns of some steps in the order of the tape."""
    spans = cut_spans(read_spans(tape.spans), start, count)
    of_call = tuple(f"llm_call__{name}" for name in _CALL_COLUMNS)
    rows = (
        StepRecord.objects.filter(spans_filter(spans))
        .order_by()
        .values_list("log_id", "position", "llm_call_id", *_STEP_COLUMNS, *of_call, *extra)
    )
    found = {(row[0], row[1]): row[2:] for row in rows}
    names = ("call_id", *_STEP_COLUMNS, *_CALL_COLUMNS, *extra)
    for position, (log, place) in enumerate(places(spans), start=start):
        yield {
            "position": position,
            "is_own": log == tape.id,
            **dict(zip(names, found[log, place], strict=True)),
        }
