"""Loads complete tapes: one, a part of one, or any number of them in groups."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple
from uuid import UUID

from tapes_app.engine.tape.steps import Step, parse_step
from tapes_app.engine.tape.tape import Tape, TapeMetadata
from tapes_app.models import StepRecord
from tapes_app.tapes.domain.spans import Spans, cut_spans, places, read_spans
from tapes_app.tapes.store.access import MAX_SPANS, get_columns, pick_tapes, spans_filter
from tapes_app.tapes.store.kind_families import (
    LoadAssignedFamilies,
    assign_step_families,
    assigned_families_in,
)

_TAPES_AT_ONCE = 25
_STEPS_AT_ONCE = 250
"""More are in memory only if a single tape has more."""

Bodies = Mapping[tuple[UUID, int], dict[str, Any]]
"""Step bodies by log and position."""


class _TapeRow(NamedTuple):
    """The columns that a tape is built from."""

    id: UUID
    parent_id: UUID | None
    metadata: dict[str, Any]
    context: Any
    spans: list[Any]
    step_count: int


def load_tape(tape_id: UUID, project: UUID, *, as_source: bool = False) -> Tape:
    """Return a tape with all its steps, in two queries whatever its length.

    A third query reads the assigned families, if no class here knows one of its kinds.

    With `as_source` the metadata is exactly what was saved, including the file's ids; without it,
    ids are those of this store.

    Raises:
        NotFoundError: there is no such tape in this project.
    """
    row = _TapeRow(*get_columns(tape_id, project, *_TapeRow._fields))
    bodies = _find_bodies(read_spans(row.spans))
    return _build_tape(row, bodies, assigned_families_in(project), as_source=as_source)


def load_tapes(
    tape_ids: Iterable[UUID], project: UUID, *, as_source: bool = False
) -> Iterator[Tape | None]:
    """Yield tapes in the order of their ids, `None` for a tape that does not exist (any more).

    Short ones are read together: a few queries for dozens of them.
    """
    rest = iter(tape_ids)
    load_assigned_families = assigned_families_in(project)
    while page := list(islice(rest, _TAPES_AT_ONCE)):
        found = pick_tapes(page, project).values_list(*_TapeRow._fields)
        rows = {row.id: row for row in map(_TapeRow._make, found)}
        for group in _group(page, rows):
            yield from _load_group(group, rows, load_assigned_families, as_source=as_source)


def load_part(
    tape_id: UUID, project: UUID, *, start: int = 0, end: int | None = None
) -> Sequence[Step]:
    """Return only the steps of a tape from `start` up to but not including `end`.

    Raises:
        NotFoundError: there is no such tape in this project.
    """
    stored, count = get_columns(tape_id, project, "spans", "step_count")
    spans = cut_spans(read_spans(stored), start, (count if end is None else end) - start)
    steps = [parse_step(body) for body in load_span_bodies(spans)]
    return assign_step_families(steps, assigned_families_in(project))


def load_span_bodies(spans: Spans) -> list[dict[str, Any]]:
    """Return the bodies of the steps of some spans, in order."""
    if not spans:
        return []
    found = _find_bodies(spans)
    return [found[place] for place in places(spans)]


def _group(tape_ids: Sequence[UUID], rows: Mapping[UUID, _TapeRow]) -> Iterator[list[UUID]]:
    """Yield the ids in groups that are read together, at least one per group."""
    group: list[UUID] = []
    steps = spans = 0
    for tape_id in tape_ids:
        row = rows.get(tape_id)
        size = (row.step_count, len(row.spans)) if row is not None else (0, 0)
        steps, spans = steps + size[0], spans + size[1]
        if group and (steps > _STEPS_AT_ONCE or spans > MAX_SPANS):
            yield group
            group, (steps, spans) = [], size
        group.append(tape_id)
    if group:
        yield group


def _load_group(
    tape_ids: Sequence[UUID],
    rows: Mapping[UUID, _TapeRow],
    load_assigned_families: LoadAssignedFamilies,
    *,
    as_source: bool,
) -> Iterator[Tape | None]:
    found = [rows[tape_id] for tape_id in tape_ids if tape_id in rows]
    # Forks may show the very same stretch.
    bodies = _find_bodies(tuple({span for row in found for span in read_spans(row.spans)}))
    for tape_id in tape_ids:
        row = rows.get(tape_id)
        yield (
            None
            if row is None
            else _build_tape(row, bodies, load_assigned_families, as_source=as_source)
        )


def _find_bodies(spans: Spans) -> Bodies:
    rows = StepRecord.objects.filter(spans_filter(spans)).order_by()
    return {
        (log, position): body for log, position, body in rows.values_list("log", "position", "body")
    }


def _build_tape(
    row: _TapeRow, bodies: Bodies, load_assigned_families: LoadAssignedFamilies, *, as_source: bool
) -> Tape:
    steps = [parse_step(bodies[place]) for place in places(read_spans(row.spans))]
    # The parts are already valid; validating every step again would double the cost.
    return Tape.model_construct(
        metadata=_read_metadata(row, as_source=as_source),
        context=row.context,
        steps=tuple(assign_step_families(steps, load_assigned_families)),
    )


def _read_metadata(row: _TapeRow, *, as_source: bool) -> TapeMetadata:
    stored = TapeMetadata.model_validate(row.metadata)
    if as_source:
        return stored
    parent_id = str(row.parent_id) if row.parent_id else stored.parent_id
    return stored.model_copy(update={"id": str(row.id), "parent_id": parent_id})
