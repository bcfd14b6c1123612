"""Reading about tapes: lists, headers, outlines, families; no step is parsed here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Q

from tapes_app.engine.tape_query.conditions import Words
from tapes_app.models import StepRecord, TapeRecord
from tapes_app.storage.rows import (
    OutlineRow,
    Page,
    StepRow,
    TapeHeader,
    TapeRow,
)
from tapes_app.storage.search import FoundWords
from tapes_app.storage.snippets import find_snippets
from tapes_app.storage.spans import count_shared_start, cut_spans, places, read_spans
from tapes_app.storage.tape_access import get_tape, spans_filter
from tapes_app.storage.tape_order import NEWEST_FIRST, read_order, read_page
from tapes_app.storage.tape_plans import TapeFilter, plan_list
from tapes_app.storage.tape_rows import Columns, columns_of, read_excerpts, read_fields, row_columns
from tapes_app.storage.tape_scans import BUDGET_SECONDS, Scan, scan, scan_all

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
    sort: str = NEWEST_FIRST,
    after: str | None = None,
    limit: int = 50,
    budget_seconds: float = BUDGET_SECONDS,
) -> TapePage:
    """Return a page of tapes in an order; `after` is the `next` of the page before.

    Conditions on steps are looked for as long as `budget_seconds` allow; in another order than
    newest first all tapes have to be asked before the first is known.

    Raises:
        InvalidInputError: there is no such order, `after` is no cursor of it, or the list asks
            about so many steps that ordering it takes too long.
        NotFoundError: the tape of `family_of` is not in this project.
    """
    limit = max(1, min(limit, MAX_PAGE))
    order = read_order(sort)
    is_newest_first = str(order) == NEWEST_FIRST
    plan = plan_list(project, where or TapeFilter(), is_for_newest=is_newest_first)
    if not plan.is_light and is_newest_first:
        scanned = scan(project, plan, after=after, limit=limit, budget_seconds=budget_seconds)
        shown = _rows(_read_found(scanned), scanned.words)
        return TapePage(shown, scanned.next, scanned.searched_count, scanned.is_cut)
    fitting = plan.light if plan.is_light else Q(id__in=scan_all(project, plan))
    rows = row_columns(TapeRecord.objects.filter(fitting))
    found, following = read_page(rows, order, after, limit)
    return TapePage(_rows(found, plan.words), following)


def _read_found(scanned: Scan) -> list[Columns]:
    """Return the columns of what a search found, in its order."""
    read = {one.id: one.row for one in scanned.found if one.row is not None}
    rest = [one.id for one in scanned.found if one.row is None]
    if rest:
        read |= {row["id"]: row for row in row_columns(TapeRecord.objects.filter(id__in=rest))}
    return [read[id] for id in scanned.ids if id in read]


def _rows(rows: Sequence[Columns], words: Mapping[Words, FoundWords]) -> tuple[TapeRow, ...]:
    snippets = find_snippets(words, [row["id"] for row in rows])
    return tuple(
        TapeRow(**fields, **read_excerpts(row), snippet=snippets.get(row["id"], ()))
        for row, fields in zip(rows, read_fields(rows), strict=True)
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


def list_newest_ids(project: UUID, where: TapeFilter, limit: int) -> list[UUID]:
    """Return the newest tapes of a list, as far as a search into steps comes in its time."""
    plan = plan_list(project, where, is_for_newest=True)
    if not plan.is_light:
        return list(scan(project, plan, after=None, limit=limit).ids)
    newest = TapeRecord.objects.filter(plan.light).order_by("-created_at", "-id")
    return list(newest.values_list("id", flat=True)[:limit])


def load_header(tape_id: UUID, project: UUID) -> TapeHeader:
    """Return everything about a tape but its steps.

    Raises:
        NotFoundError: no such tape in this project.
    """
    record = get_tape(tape_id, project, related=("batch", "parent", "agent_version", "root"))
    version = record.agent_version
    return TapeHeader(
        **read_fields([columns_of(record)])[0],
        expected=record.expected,
        actual=record.actual,
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
    """Return the names of the agents that the project's tapes were made by.

    From name to name along an index: of a million tapes it reads one for each agent.
    """
    tapes = TapeRecord.objects.filter(project_id=project, deleted_at__isnull=True)
    in_order = tapes.order_by("agent_name").values_list("agent_name", flat=True)
    names: list[str] = []
    name = in_order.first()
    while name is not None:
        names.append(name)
        name = in_order.filter(agent_name__gt=name).first()
    return names


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
