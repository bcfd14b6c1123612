"""Children of tapes: forks and edits share the steps that they keep with their parent."""

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Any, NamedTuple
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Length

from tapes_app.engine.errors import TapeRangeError
from tapes_app.engine.model.messages import canonical_json
from tapes_app.engine.tape.field_diff import count_equal_start
from tapes_app.engine.tape.steps import Writer
from tapes_app.engine.tape.tape import Tape
from tapes_app.models import StepRecord, TapeRecord
from tapes_app.projects.domain.columns import fit_line, fit_text, read_uuid
from tapes_app.tapes.domain.spans import (
    Span,
    Spans,
    cut_spans,
    join_spans,
    places,
    read_spans,
    write_spans,
)
from tapes_app.tapes.domain.step_cuts import LONGEST_STEP
from tapes_app.tapes.domain.step_facts import title_of
from tapes_app.tapes.store.access import MAX_SPANS, get_spans, get_tape_to_change, spans_filter
from tapes_app.tapes.store.counters import COUNTERS, copy_counters, count_part, count_spans
from tapes_app.tapes.store.kind_families import assigned_families_in
from tapes_app.tapes.store.loading import load_span_bodies
from tapes_app.tapes.store.saving import count_in_batch, dump_metadata
from tapes_app.tapes.store.step_writing import NewStep, build_steps, copy_steps, insert_steps


@transaction.atomic
def fork_tape(
    tape_id: UUID,
    *,
    project: UUID,
    at: int | None = None,
    owner: int | None = None,
    author: str | None = None,
) -> UUID:
    """Make a child with the first `at` steps (all by default). No step is written.

    Raises:
        NotFoundError: there is no such tape in this project.
        ArchivedError: the tape is archived.
        TapeRangeError: `at` is negative or past the end.
    """
    parent = get_tape_to_change(tape_id, project)
    count = parent.step_count if at is None else at
    child = _build_fork(parent, count, owner=owner, author=author)
    _set_counters(child, _count_kept(parent, count))
    child.save(force_insert=True)
    return child.id


@transaction.atomic
def fork_tapes(
    tape_id: UUID,
    counts: Sequence[int],
    *,
    project: UUID,
    owner: int | None = None,
    author: str | None = None,
    agent_version: UUID | None = None,
    agent_name: str = "",
    batch: UUID | None = None,
) -> list["ForkedTape"]:
    """Make many children in one go, one for each number of steps to keep.

    With an `agent_name` they are no longer attributed to the parent's agent.

    It makes as many queries as there are different numbers, however many children.

    Raises:
        NotFoundError: there is no such tape in this project.
        ArchivedError: the tape is archived.
        TapeRangeError: one of the numbers is negative or past the end.
    """
    parent = get_tape_to_change(tape_id, project)
    children = [_build_fork(parent, count, owner=owner, author=author) for count in counts]
    kept = {count: _count_kept(parent, count) for count in set(counts)}
    for child in children:
        _set_counters(child, kept[child.step_count])
        child.agent_version_id = agent_version or parent.agent_version_id
        child.agent_name = fit_text(agent_name, 200) or parent.agent_name
        child.batch_id = batch
    TapeRecord.objects.bulk_create(children)
    count_in_batch(batch, children)
    return [
        ForkedTape(child.id, child.input_tokens + child.output_tokens, child.cost_micro_usd)
        for child in children
    ]


@transaction.atomic
def check_forks(tape_id: UUID, counts: Sequence[int], *, project: UUID) -> None:
    """Check that `fork_tapes` could make these children; none is made.

    Raises:
        NotFoundError: there is no such tape in this project.
        ArchivedError: the tape is archived.
        TapeRangeError: one of the numbers is negative or past the end.
    """
    parent = get_tape_to_change(tape_id, project)
    for count in counts:
        _check_place(parent, count)


class ForkedTape(NamedTuple):
    """A new child, with the cost of the steps that it keeps."""

    id: UUID
    tokens: int
    micro_usd: int


def _check_place(parent: TapeRecord, count: int) -> None:
    if not 0 <= count <= parent.step_count:
        raise TapeRangeError(
            f"Cannot fork at step {count}: the tape has {parent.step_count} steps.",
            at=count,
            step_count=parent.step_count,
            field="at",
        )


def _build_fork(
    parent: TapeRecord, count: int, *, owner: int | None, author: str | None
) -> TapeRecord:
    _check_place(parent, count)
    child = _child_record(parent, owner=owner, forked_at=count)
    child.spans = write_spans(cut_spans(read_spans(parent.spans), 0, count))
    child.step_count = count
    changes: dict[str, Any] = {"n_added_steps": 0}
    if author is not None:
        changes["author"] = author
        child.author = fit_text(author, 200)
    child.metadata = _child_metadata(parent, child, changes, keep_end=count == parent.step_count)
    return child


def _count_kept(parent: TapeRecord, count: int) -> dict[str, float]:
    if count == parent.step_count:
        return copy_counters(parent)
    return count_part(parent, cut_spans(read_spans(parent.spans), 0, count))


@transaction.atomic
def save_spliced(
    parent_id: UUID,
    edited: Tape,
    *,
    project: UUID,
    sources: Sequence[int | None] | None = None,
    owner: int | None = None,
    edited_by: int | None = None,
    writer: Writer | None = "person",
    agent_version: UUID | None = None,
    title: str = "",
    edit_words: str = "",
) -> UUID:
    """Store the child that an edit makes of a tape; only its new steps are written.

    `sources` holds for each step its position in the parent, `None` for a new one (as
    `apply_operations` returns it); without it, equal steps are found by comparison. `edited_by` is
    the user who wrote the new steps. Without a `title` the child's title comes from its steps.
    `edit_words` describe in one line what the edit changes.

    Raises:
        NotFoundError: there is no such tape in this project.
    """
    parent = get_tape_to_change(parent_id, project)
    parent_spans = read_spans(parent.spans)
    if sources is None:
        sources = _align(parent_spans, edited)
    shared = count_equal_start(sources, range(len(sources)))
    child = _child_record(parent, owner=owner, forked_at=shared)
    wanted = read_uuid(edited.id)
    if wanted is not None and not TapeRecord.objects.filter(id=wanted).exists():
        child.id = wanted
    _describe(child, parent, edited, title)
    child.edit_words = fit_line(edit_words, 200)
    child.agent_version_id = agent_version or parent.agent_version_id
    child.save(force_insert=True)
    records = build_steps(
        child.id,
        0,
        [step for step, source in zip(edited.steps, sources, strict=True) if source is None],
        families=assigned_families_in(project),
        writer=writer,
        edited_by=edited_by,
    )
    spans = join_spans(_child_spans(child.id, parent_spans, sources))
    if len(spans) > MAX_SPANS:
        records = _all_own(child.id, parent_spans, sources, records)
        spans = (Span(child.id, 0, len(records)),)
    insert_steps(records)
    child.spans, child.step_count = write_spans(spans), len(sources)
    child.own_step_count = len(records)
    _set_counters(child, count_spans(spans))
    child.save()
    return child.id


def load_bodies(tape_id: UUID, project: UUID, positions: Sequence[int]) -> dict[int, Any]:
    """Return the bodies of some steps of a tape by position; positions it lacks are left out.

    Raises:
        NotFoundError: there is no such tape in this project.
    """
    return _values_at(tape_id, project, positions, F("body"))


def find_large_steps(tape_id: UUID, project: UUID, positions: Sequence[int]) -> list[int]:
    """Return which of the given steps are too large for any page; no body is read."""
    sizes = _values_at(tape_id, project, positions, Length("body"))
    return [position for position, size in sizes.items() if size > LONGEST_STEP]


def _values_at(
    tape_id: UUID, project: UUID, positions: Sequence[int], value: F | Length
) -> dict[int, Any]:
    everywhere = list(places(get_spans(tape_id, project)))
    wanted = {everywhere[at]: at for at in set(positions) if at < len(everywhere)}
    spans = join_spans(Span(*place, 1) for place in sorted(wanted))
    values: dict[int, Any] = {}
    for start in range(0, len(spans), MAX_SPANS):  # a longer condition is too deep for SQLite
        rows = StepRecord.objects.filter(spans_filter(spans[start : start + MAX_SPANS])).order_by()
        for log, position, found in rows.values_list("log_id", "position", value):
            values[wanted[log, position]] = found
    return values


def list_bodies_of_kind(tape_id: UUID, project: UUID, kind: str, *, limit: int = 50) -> list[Any]:
    """Return the bodies of the first steps of a kind on a tape."""
    spans = get_spans(tape_id, project)
    rows = StepRecord.objects.filter(spans_filter(spans), kind=fit_text(kind, 100))
    return list(rows.order_by("log_id", "position").values_list("body", flat=True)[:limit])


def _describe(child: TapeRecord, parent: TapeRecord, edited: Tape, title: str) -> None:
    child.context = edited.context
    child.title = fit_text(title, 300) or title_of(edited) or parent.title
    child.author = fit_text(edited.metadata.author, 200)
    ids = {"id": str(child.id), "parent_id": str(parent.id)}
    child.metadata = {**dump_metadata(edited.metadata), **ids}


def _child_record(parent: TapeRecord, *, owner: int | None, forked_at: int) -> TapeRecord:
    return TapeRecord(
        id=uuid4(),
        project_id=parent.project_id,
        owner_id=owner,
        parent_id=parent.id,
        root_id=parent.root_id or parent.id,
        forked_at=forked_at,
        **{name: getattr(parent, name) for name in _INHERITED},
    )


# The same task; the child's result is not known yet.
_INHERITED = (
    "context", "title", "author", "agent_name", "agent_version_id", "is_kept_from_training",
    "split", "task", "expected",
)  # fmt: skip


def _child_metadata(
    parent: TapeRecord, child: TapeRecord, changes: dict[str, Any], *, keep_end: bool
) -> dict[str, Any]:
    """Return the parent's metadata for its child; a cut tape has not ended yet."""
    metadata = {**parent.metadata, **changes, "id": str(child.id), "parent_id": str(parent.id)}
    if not keep_end:
        metadata.pop("error", None)
        metadata.pop("result", None)
    return metadata


def _set_counters(tape: TapeRecord, counters: dict[str, float]) -> None:
    for name in (*COUNTERS, "error_count"):
        setattr(tape, name, counters[name])
    tape.has_error = tape.error_count > 0 or bool(tape.metadata.get("error"))


def _child_spans(child: UUID, parent_spans: Spans, sources: Sequence[int | None]) -> list[Span]:
    parent_places = list(places(parent_spans))
    spans: list[Span] = []
    own = 0
    for source in sources:
        if source is None:
            spans.append(Span(child, own, 1))
            own += 1
        else:
            log, position = parent_places[source]
            spans.append(Span(log, position, 1))
    return spans


def _align(parent_spans: Spans, edited: Tape) -> list[int | None]:
    """Return where each step of an edited tape was in its parent, by comparing contents."""
    old = [canonical_json(body) for body in load_span_bodies(parent_spans)]
    new = [canonical_json(step.to_json()) for step in edited.steps]
    sources: list[int | None] = [None] * len(new)
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for start, target, size in matcher.get_matching_blocks():
        for offset in range(size):
            sources[target + offset] = start + offset
    return sources


def _all_own(
    child: UUID,
    parent_spans: Spans,
    sources: Sequence[int | None],
    new: Sequence[NewStep],
) -> list[NewStep]:
    """Copy the steps of a very often edited tape into its own log: one span instead of many."""
    rows = StepRecord.objects.filter(spans_filter(parent_spans))
    by_place = {(row.log_id, row.position): row for row in rows}
    parent_places = list(places(parent_spans))
    written = iter(new)
    ordered = [
        next(written) if source is None else by_place[parent_places[source]] for source in sources
    ]
    return copy_steps(child, ordered)
