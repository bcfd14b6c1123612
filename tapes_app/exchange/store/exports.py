"""What an export needs from the store before it reads tapes and calls: their ids."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from tapes_app.bulk.store.tags import read_tags
from tapes_app.engine.tape.tape import TapeMetadata
from tapes_app.interchange.project_file import MarkPart
from tapes_app.interchange.tape_codec import source_of
from tapes_app.models import LLMCallRecord, StepRecord, TapeRecord
from tapes_app.tapes.domain.spans import Span, read_spans
from tapes_app.tapes.store.access import MAX_SPANS, is_in, pick_tapes, spans_filter

_IDS_AT_ONCE = 500
_MARKED = ("title", "is_kept_from_training", "split", "task", "expected", "outcome", "score")


@dataclass(frozen=True, slots=True)
class TapeToExport:
    """The columns that determine which file a tape goes into."""

    id: UUID
    title: str
    batch_id: UUID | None
    metadata: TapeMetadata
    """The metadata as saved."""


def list_tapes_to_export(project: UUID, tape_ids: Sequence[UUID]) -> list[TapeToExport]:
    """Return the given tapes that are in the project and not deleted, in the given order."""
    records = pick_tapes(tape_ids, project).only("id", "title", "batch_id", "metadata")
    found = {record.id: record for record in records}
    return [_to_export(found[tape_id]) for tape_id in tape_ids if tape_id in found]


def _to_export(record: TapeRecord) -> TapeToExport:
    metadata = TapeMetadata.model_validate(record.metadata)
    return TapeToExport(record.id, record.title, record.batch_id, metadata)


def file_id_of(tape: TapeToExport) -> str:
    """Return the id that a tape has in the file that it is exported to."""
    source = source_of(tape.metadata)
    return (source.tape_id if source is not None else "") or str(tape.id)


def list_file_ids(project: UUID, tape_ids: Sequence[UUID]) -> dict[UUID, str]:
    """Return the ids that tapes of the project have in their files, except deleted tapes."""
    return {
        tape.id: file_id_of(tape)
        for start in range(0, len(tape_ids), _IDS_AT_ONCE)
        for tape in list_tapes_to_export(project, tape_ids[start : start + _IDS_AT_ONCE])
    }


def list_marks(project: UUID) -> Iterator[MarkPart]:
    """Yield the marks of each tape, under the id that the tape has in its file."""
    records = _live(project).order_by("id").iterator(_IDS_AT_ONCE)
    while page := list(islice(records, _IDS_AT_ONCE)):
        tags = read_tags(project, [record.id for record in page])
        for record in page:
            marks = {name: getattr(record, name) for name in _MARKED}
            marks |= {
                "tape": file_id_of(_to_export(record)),
                "tags": tags.get(record.id, ()),
                "is_pinned": record.pinned_at is not None,
                "is_archived": record.archived_at is not None,
            }
            yield MarkPart.model_validate(marks)


def count_tapes(project: UUID) -> int:
    """Return how many tapes a project has, including archived ones."""
    return _live(project).count()


def has_batchless_tapes(project: UUID) -> bool:
    """Return whether a project has tapes that are in no batch."""
    return _live(project).filter(batch__isnull=True).exists()


def list_batchless_tapes(project: UUID, at_once: int) -> Iterator[list[UUID]]:
    """Yield the tapes that are in no batch, `at_once` at a time."""
    return _read_ids(_live(project).filter(batch__isnull=True), at_once)


def _live(project: UUID) -> QuerySet[TapeRecord]:
    return TapeRecord.objects.filter(project_id=project, deleted_at__isnull=True)


def list_call_ids(project: UUID, tape_ids: Sequence[UUID]) -> list[UUID]:
    """Return the calls behind the steps of the given tapes or made for them, oldest first."""
    tapes = TapeRecord.objects.filter(is_in(project), id__in=list(tape_ids))
    spans = [
        span for stored in tapes.values_list("spans", flat=True) for span in read_spans(stored)
    ]
    calls = LLMCallRecord.objects.order_by()
    found: dict[UUID, datetime] = {}
    for group in group_spans(spans):
        steps = StepRecord.objects.filter(spans_filter(group), llm_call__isnull=False).order_by()
        shown = calls.filter(id__in=steps.values("llm_call_id"))
        found.update(shown.values_list("id", "created_at"))
    stepless = calls.filter(is_in(project), tape_id__in=list(tape_ids), steps__isnull=True)
    found.update(stepless.values_list("id", "created_at"))
    return sorted(found, key=lambda call_id: (found[call_id], call_id))


def group_spans(spans: Sequence[Span]) -> Iterable[tuple[Span, ...]]:
    """Yield spans in groups small enough for one condition."""
    return (tuple(spans[at : at + MAX_SPANS]) for at in range(0, len(spans), MAX_SPANS))


def list_stepless_call_ids(project: UUID, batch: UUID) -> Iterator[list[UUID]]:
    """Yield the calls of a batch that no step shows, some at a time."""
    calls = LLMCallRecord.objects.filter(project_id=project, batch_id=batch, steps__isnull=True)
    return _read_ids(calls, _IDS_AT_ONCE)


def _read_ids(rows: QuerySet[Any], at_once: int) -> Iterator[list[UUID]]:
    ids = rows.order_by("id").values_list("id", flat=True)
    page = list(ids[:at_once])
    while page:
        yield page
        page = list(ids.filter(id__gt=page[-1])[:at_once])
