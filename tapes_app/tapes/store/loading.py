"""Loading whole tapes: one, its beginning, or any number of them some at a time."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple
from uuid import UUID

from tapes_app.engine.steps import Step, parse_step
from tapes_app.engine.tape import Tape, TapeMetadata
from tapes_app.models import StepRecord, TapeRecord
from tapes_app.tapes.spans import Spans, cut_spans, places, read_spans
from tapes_app.tapes.store.access import MAX_SPANS, get_tape, pick_tapes, spans_filter
from tapes_app.tapes.store.kind_families import LoadTold, tell_steps, told_in

_TAPES_AT_ONCE = 25
_STEPS_AT_ONCE = 250
"""More are in memory only where one tape has more."""

Bodies = Mapping[tuple[UUID, int], dict[str, Any]]
"""Step bodies by log and position."""


def load_tape(
    tape_id: UUID,
    project: UUID,
    *,
    known: tuple[type[Step], ...] = (),
    as_source: bool = False,
) -> Tape:
    """Return a tape with all its steps, in two queries whatever its length.

    A third one asks what people told of its kinds, where no class here knows one of them.

    `known` step classes are tried first. With `as_source` the metadata is exactly what was
    saved, the file's ids included; without, ids are those of this store.

    Raises:
        NotFoundError: no such tape in this project.
    """
    record = get_tape(tape_id, project)
    bodies = _find_bodies(read_spans(record.spans))
    told = told_in(project)
    return _build_tape(record, bodies, known=known, told=told, as_source=as_source)


def load_tapes(
    tape_ids: Iterable[UUID], project: UUID, *, as_source: bool = False
) -> Iterator[Tape | None]:
    """Give tapes in the order of their ids, `None` for one that is not there (any more).

    Short ones are read together: some queries for dozens of them.
    """
    rest = iter(tape_ids)
    told = told_in(project)
    while page := list(islice(rest, _TAPES_AT_ONCE)):
        for group in _group(page, _find_sizes(page, project)):
            yield from _load_group(group, project, told, as_source=as_source)


def load_beginning(tape_id: UUID, project: UUID, count: int) -> Sequence[Step]:
    """Return the first `count` steps of a tape and nothing beside them.

    Raises:
        NotFoundError: no such tape in this project.
    """
    spans = cut_spans(read_spans(get_tape(tape_id, project).spans), 0, count)
    steps = [parse_step(body) for body in load_span_bodies(spans)]
    return tell_steps(steps, told_in(project))


def load_span_bodies(spans: Spans) -> list[dict[str, Any]]:
    """Return the bodies of the steps of some spans, in order."""
    found = _find_bodies(spans)
    return [found[place] for place in places(spans)]


class _Size(NamedTuple):
    """How much is read for a tape."""

    step_count: int
    span_count: int


def _find_sizes(tape_ids: Sequence[UUID], project: UUID) -> dict[UUID, _Size]:
    rows = pick_tapes(tape_ids, project).values_list("id", "step_count", "spans")
    return {tape_id: _Size(count, len(spans)) for tape_id, count, spans in rows}


def _group(tape_ids: Sequence[UUID], sizes: Mapping[UUID, _Size]) -> Iterator[list[UUID]]:
    """Give the ids in groups that are read at once, one at least in each."""
    group: list[UUID] = []
    steps = spans = 0
    for tape_id in tape_ids:
        size = sizes.get(tape_id, _Size(0, 0))
        steps, spans = steps + size.step_count, spans + size.span_count
        if group and (steps > _STEPS_AT_ONCE or spans > MAX_SPANS):
            yield group
            group, (steps, spans) = [], size
        group.append(tape_id)
    if group:
        yield group


def _load_group(
    tape_ids: Sequence[UUID], project: UUID, told: LoadTold, *, as_source: bool
) -> Iterator[Tape | None]:
    records = {record.id: record for record in pick_tapes(tape_ids, project)}
    # Forks may show the very same stretch.
    spans = {span for record in records.values() for span in read_spans(record.spans)}
    bodies = _find_bodies(tuple(spans))
    for tape_id in tape_ids:
        record = records.get(tape_id)
        yield (
            None if record is None else _build_tape(record, bodies, told=told, as_source=as_source)
        )


def _find_bodies(spans: Spans) -> Bodies:
    rows = StepRecord.objects.filter(spans_filter(spans)).order_by()
    return {
        (log, position): body for log, position, body in rows.values_list("log", "position", "body")
    }


def _build_tape(
    record: TapeRecord,
    bodies: Bodies,
    *,
    told: LoadTold,
    known: tuple[type[Step], ...] = (),
    as_source: bool,
) -> Tape:
    steps = [parse_step(bodies[place], known=known) for place in places(read_spans(record.spans))]
    # The parts are valid already; a second look at every step would cost as much again.
    return Tape.model_construct(
        metadata=_read_metadata(record, as_source=as_source),
        context=record.context,
        steps=tuple(tell_steps(steps, told)),
    )


def _read_metadata(record: TapeRecord, *, as_source: bool) -> TapeMetadata:
    stored = TapeMetadata.model_validate(record.metadata)
    if as_source:
        return stored
    parent_id = str(record.parent_id) if record.parent_id else stored.parent_id
    return stored.model_copy(update={"id": str(record.id), "parent_id": parent_id})
