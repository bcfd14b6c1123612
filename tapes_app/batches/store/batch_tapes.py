"""Tapes of batches for comparing them: light rows, sums, and their steps as digests."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Aggregate, Avg, Count, F, Q, Sum

from tapes_app.batches.domain.comparing import digest_content
from tapes_app.engine.tape.families import Family
from tapes_app.library.store.lists import list_newest_ids
from tapes_app.library.store.plans import TapeFilter
from tapes_app.models import BatchRecord, TapeRecord
from tapes_app.projects.domain.rows import Page, row_of
from tapes_app.projects.store.records import list_newest
from tapes_app.statistics.estimate import Estimate
from tapes_app.statistics.rates import Tally, success_rate
from tapes_app.tapes.domain.spans import Spans, cut_spans, places, read_spans
from tapes_app.tapes.domain.task_outcome import Outcome
from tapes_app.tapes.store.access import MAX_SPANS, read_columns


@dataclass(frozen=True, slots=True)
class BatchSummary:
    """A batch in a list, with sums over its live tapes."""

    id: UUID
    name: str
    created_at: datetime
    tape_count: int
    error_count: int
    """How many tapes have an error."""

    passed_count: int
    failed_count: int
    pass_rate: Estimate | None
    """Share of the judged tapes that passed."""

    mean_score: float | None
    tokens: int
    """Input and output tokens."""

    cost_micro_usd: int
    """In millionths of a US dollar, over the calls that have a price."""

    llm_call_count: int
    unpriced_call_count: int
    """LLM calls with unknown cost."""


@dataclass(frozen=True, slots=True)
class BatchTape:
    """A tape of a batch."""

    id: UUID
    title: str
    agent_name: str
    task: str
    outcome: Outcome
    score: float | None
    step_count: int
    error_count: int
    tokens: int
    cost_micro_usd: int
    llm_call_count: int
    unpriced_call_count: int
    duration_seconds: float


@dataclass(frozen=True, slots=True)
class ComparedTape(BatchTape):
    """A tape of a batch with everything that comparing needs."""

    source_id: str
    expected: str
    root_id: UUID
    """The oldest tape of its family: the tape itself if it has no parent."""

    spans: Spans
    metadata: Mapping[str, Any] | None
    """`None` unless requested."""

    context: Any


@dataclass(frozen=True, slots=True)
class StepMark:
    """The columns of a step that a comparison reads."""

    kind: str
    agent: str
    node: str
    digest: bytes


@dataclass(frozen=True, slots=True)
class StepSign:
    """A step as a cell of a path shows it."""

    kind: str
    family: Family
    node: str
    gist: str
    is_error: bool


def list_summaries(
    project: UUID, *, after: str | None = None, limit: int = 50
) -> Page[BatchSummary]:
    """Return a page of batches with their sums, newest first, in two queries.

    Raises:
        InvalidInputError: `after` is not a cursor.
    """
    batches = BatchRecord.objects.filter(project_id=project)
    page = list_newest(batches, lambda record: record, after=after, limit=limit)
    sums = _sum_tapes([record.id for record in page.items])
    rows = tuple(_summary(record, sums.get(record.id, {})) for record in page.items)
    return Page(rows, page.next)


def _sum_tapes(batch_ids: Sequence[UUID]) -> dict[UUID, dict[str, Any]]:
    tapes = TapeRecord.objects.filter(batch_id__in=batch_ids, deleted_at__isnull=True)
    rows = tapes.order_by().values("batch_id").annotate(**_SUMS, mean_score=Avg("score"))
    return {row["batch_id"]: dict(row) for row in rows}


_SUMS: Mapping[str, Aggregate] = {
    "tape_count": Count("id"),
    "error_count": Count("id", filter=Q(has_error=True)),
    "passed_count": Count("id", filter=Q(outcome=TapeRecord.Outcome.PASSED)),
    "failed_count": Count("id", filter=Q(outcome=TapeRecord.Outcome.FAILED)),
    "tokens": Sum(F("input_tokens") + F("output_tokens")),
    "cost_micro_usd": Sum("cost_micro_usd"),
    "llm_call_count": Sum("llm_call_count"),
    "unpriced_call_count": Sum("unpriced_call_count"),
}


def _summary(record: BatchRecord, sums: Mapping[str, Any]) -> BatchSummary:
    counts = {name: sums.get(name) or 0 for name in _SUMS}
    passed, failed = counts["passed_count"], counts["failed_count"]
    rate = success_rate(Tally(passed, passed + failed))
    mean_score = sums.get("mean_score")
    return row_of(BatchSummary, record, pass_rate=rate, mean_score=mean_score, **counts)


def list_batch_tapes(
    batch_id: UUID, project: UUID, *, limit: int, with_json: bool = False
) -> list[ComparedTape]:
    """Return the first tapes of a batch in the order in which they were added, in one query."""
    return _list_tapes(Q(project_id=project, batch_id=batch_id), limit, with_json=with_json)


def list_found_tapes(
    project: UUID, where: TapeFilter, *, limit: int, with_json: bool = False
) -> list[ComparedTape]:
    """Return the newest tapes that a search finds, in the order in which they were created."""
    found = list_newest_ids(project, where, limit)
    return _list_tapes(Q(id__in=found), limit, with_json=with_json)


def _list_tapes(which: Q, limit: int, *, with_json: bool) -> list[ComparedTape]:
    json_columns = ("metadata", "context") if with_json else ()
    tapes = TapeRecord.objects.filter(which, deleted_at__isnull=True)
    records = tapes.only(*_TAPE_COLUMNS, *json_columns).order_by("created_at", "id")
    return [_compared_tape(record, with_json=with_json) for record in records[:limit]]


_TAPE_COLUMNS = (
    "id", "title", "agent_name", "task", "source_id", "expected", "outcome", "score",
    "step_count", "error_count", "cost_micro_usd", "duration_seconds", "input_tokens",
    "output_tokens", "llm_call_count", "unpriced_call_count", "root_id", "spans",
)  # fmt: skip


def _compared_tape(record: TapeRecord, *, with_json: bool) -> ComparedTape:
    return row_of(
        ComparedTape,
        record,
        tokens=record.input_tokens + record.output_tokens,
        root_id=record.root_id or record.id,
        spans=read_spans(record.spans),
        metadata=record.metadata if with_json else None,
        context=record.context if with_json else None,
    )


def load_marks(wanted: Mapping[UUID, tuple[Spans, int]]) -> dict[UUID, list[StepMark]]:
    """Return the digested steps of the given tapes from a position on, by the tape's id.

    Makes one query for as many tapes as have `MAX_SPANS` spans together.
    """
    rests = {
        tape_id: cut_spans(spans, start, sum(span.count for span in spans))
        for tape_id, (spans, start) in wanted.items()
    }
    return {
        tape: [
            StepMark(kind, agent, node, digest_content(body)) for kind, agent, node, body in rows
        ]
        for tape, rows in _read_each(rests, ("kind", "agent", "node", "body"))
    }


def load_beginnings(wanted: Mapping[UUID, Spans], count: int) -> dict[UUID, list[dict[str, Any]]]:
    """Return the bodies of the first `count` steps of the given tapes."""
    rests = {tape: cut_spans(spans, 0, count) for tape, spans in wanted.items()}
    return {tape: [body for (body,) in rows] for tape, rows in _read_each(rests, ("body",))}


def load_signs(wanted: Mapping[UUID, Spans], count: int) -> dict[UUID, list[StepSign]]:
    """Return what cells show of the first `count` steps of the given tapes; reads no bodies."""
    rests = {tape: cut_spans(spans, 0, count) for tape, spans in wanted.items()}
    columns = ("kind", "family", "node", "gist", "is_error")
    return {tape: [StepSign(*row) for row in rows] for tape, rows in _read_each(rests, columns)}


def _read_each(
    wanted: Mapping[UUID, Spans], columns: tuple[str, ...]
) -> Iterator[tuple[UUID, list[tuple[Any, ...]]]]:
    """Yield each tape with the columns of its steps, in order."""
    for chunk in _chunks(wanted):
        rows = read_columns(tuple(span for tape in chunk for span in wanted[tape]), *columns)
        for tape in chunk:
            yield tape, [rows[place] for place in places(wanted[tape])]


def _chunks(wanted: Mapping[UUID, Spans]) -> list[list[UUID]]:
    """Return tapes in groups whose spans fit into one condition."""
    chunks: list[list[UUID]] = [[]]
    size = 0
    for tape, spans in wanted.items():
        if size + len(spans) > MAX_SPANS and chunks[-1]:
            chunks.append([])
            size = 0
        chunks[-1].append(tape)
        size += len(spans)
    return [chunk for chunk in chunks if chunk]
