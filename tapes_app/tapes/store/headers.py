"""One tape without its bodies: its header, its outline, and some of its steps."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Case, F, TextField, When
from django.db.models.expressions import Combinable
from django.db.models.functions import Length, Substr

from tapes_app.models import StepRecord, TapeRecord
from tapes_app.models.json_text import load_json_beginning
from tapes_app.projects.domain.rows import row_of
from tapes_app.tapes.domain.rows import OutlineRow, StepRow, TapeHeader
from tapes_app.tapes.domain.spans import Spans, count_shared_start, cut_spans, places
from tapes_app.tapes.domain.step_cuts import (
    LONGEST_PAGE,
    LONGEST_STEP,
    MOST_READ,
    MOST_READ_OF_STEP,
    cut_beginning,
    share_fairly,
)
from tapes_app.tapes.store.access import get_spans, get_tape, read_columns
from tapes_app.tapes.store.counters import TOTALS
from tapes_app.tapes.store.list_rows import columns_of, read_fields


def load_header(tape_id: UUID, project: UUID) -> TapeHeader:
    """Return everything about a tape but its steps.

    Raises:
        NotFoundError: there is no such tape in this project.
    """
    record = get_tape(tape_id, project, related=("batch", "parent", "agent_version", "root"))
    version = record.agent_version
    return row_of(
        TapeHeader,
        record,
        **read_fields([columns_of(record)])[0],
        parent_title=record.parent.title if record.parent else "",
        agent_id=version.agent_id if version else None,
        agent_version=version.number if version and not version.is_trial else None,
        snippet=(),
    )


@dataclass(frozen=True, slots=True)
class TapeTitle:
    """A tape's id and title."""

    id: UUID
    title: str


def list_newest(project: UUID, limit: int) -> list[TapeTitle]:
    """Return the newest tapes of a project, including archived ones."""
    live = TapeRecord.objects.filter(project_id=project, deleted_at__isnull=True)
    newest = live.order_by("-created_at", "-id").values_list("id", "title")
    return [TapeTitle(*row) for row in newest[:limit]]


def list_titles(project: UUID, tape_ids: Iterable[UUID]) -> dict[UUID, str]:
    """Return the titles of some tapes of a project by id."""
    tapes = TapeRecord.objects.filter(project_id=project, id__in=list(tape_ids))
    return dict(tapes.values_list("id", "title"))


def load_outline(tape_id: UUID, project: UUID) -> list[OutlineRow]:
    """Return a light row for each step of a tape, in two queries."""
    spans = get_spans(tape_id, project)
    return [OutlineRow(**fields) for fields in _step_fields(tape_id, spans, 0, ())]


def load_steps(tape_id: UUID, project: UUID, *, start: int = 0, count: int = 100) -> list[StepRow]:
    """Return some steps of a tape with their bodies, in two queries."""
    spans = cut_spans(get_spans(tape_id, project), max(0, start), max(0, count))
    extra = ("body", "edited_by__username", "created_at")
    return [
        StepRow(edited_by=fields.pop("edited_by__username") or "", **fields)
        for fields in _step_fields(tape_id, spans, max(0, start), extra)
    ]


def load_step_page(tape_id: UUID, project: UUID, *, start: int, count: int) -> list[StepRow]:
    """Return some steps as `load_steps` does, but with large ones cut so that the page is small.

    A step that is too large in any case is never read completely.
    """
    spans = cut_spans(get_spans(tape_id, project), start, count)
    body = Case(When(size__lte=LONGEST_STEP, then=F("body")), default=None)
    columns = ("id", "size", "small_body", "edited_by__username", "created_at")
    found = list(_step_fields(tape_id, spans, start, columns, size=Length("body"), small_body=body))
    sizes = [fields["size"] for fields in found]
    room = share_fairly(sizes, LONGEST_PAGE, LONGEST_STEP)
    large = [fields for fields in found if fields["small_body"] is None]
    read = share_fairly([fields["size"] for fields in large], MOST_READ, MOST_READ_OF_STEP)
    beginnings = _load_beginnings([fields["id"] for fields in large], read)
    return [_page_row(fields, beginnings, room, read) for fields in found]


def _page_row(
    fields: dict[str, Any], beginnings: Mapping[int, Any], room: int, read: int
) -> StepRow:
    key, size, body = fields.pop("id"), fields.pop("size"), fields.pop("small_body")
    row = StepRow(edited_by=fields.pop("edited_by__username") or "", body=body or {}, **fields)
    if size <= room:
        return row
    if body is not None:
        return cut_beginning(row, body, size=size, room=room)
    return cut_beginning(row, beginnings[key], size=size, room=room, is_whole=size <= read)


def _load_beginnings(ids: Sequence[int], length: int) -> dict[int, Any]:
    text = Substr("body", 1, length, output_field=TextField())
    rows = StepRecord.objects.filter(id__in=ids).order_by().values_list("id", text)
    return {key: load_json_beginning(beginning) for key, beginning in rows.iterator(chunk_size=1)}


def count_shared_steps(tape_id: UUID, other_id: UUID, project: UUID) -> int:
    """Return how many leading step rows two tapes share, as branches do."""
    one, other = (get_spans(id, project) for id in (tape_id, other_id))
    return count_shared_start(one, other)


_STEP_COLUMNS = (
    "kind", "family", "writer", "agent", "node", "prompt_id", "lane", "gist", "is_error",
)  # fmt: skip


def _step_fields(
    tape_id: UUID,
    spans: Spans,
    start: int,
    extra: tuple[str, ...],
    **computed: Combinable,
) -> Iterable[dict[str, Any]]:
    """Yield the columns of the steps of some spans; the first is step `start` of a tape."""
    of_call = tuple(f"llm_call__{name}" for name in TOTALS)
    columns = ("llm_call_id", *_STEP_COLUMNS, *of_call, *extra)
    found = read_columns(spans, *columns, **computed)
    names = ("call_id", *_STEP_COLUMNS, *TOTALS, *extra)
    for position, (log, place) in enumerate(places(spans), start=start):
        fields = dict(zip(names, found[log, place], strict=True))
        lane = fields["lane"] or ""
        yield {"position": position, "is_own": log == tape_id, **fields, "lane": lane}
