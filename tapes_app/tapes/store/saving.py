"""Stores complete tapes: one, or many in one go for an import."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import F

from tapes_app.engine.errors import ConflictError
from tapes_app.engine.model.llm import LLMCall
from tapes_app.engine.plain_json import dump_json_data
from tapes_app.engine.tape.steps import UnknownStep, Writer
from tapes_app.engine.tape.tape import Tape, TapeMetadata
from tapes_app.models import BatchRecord, TapeRecord
from tapes_app.projects.domain.columns import fit_text, read_uuid
from tapes_app.projects.store.inserting import insert_records
from tapes_app.tapes.domain.spans import Span, join_spans, write_spans
from tapes_app.tapes.domain.step_facts import root_agent, title_of
from tapes_app.tapes.store.access import pick_tapes
from tapes_app.tapes.store.call_columns import sum_call_columns
from tapes_app.tapes.store.calls import CallWriter
from tapes_app.tapes.store.kind_families import assigned_families_in
from tapes_app.tapes.store.outcomes import outcome_columns
from tapes_app.tapes.store.step_writing import NewStep, build_steps, insert_steps


@dataclass(frozen=True)
class NewTape:
    """A tape to store, with the calls behind its steps.

    `sources` holds the imported row of each call, or `None`. `digest` identifies the tape when the
    same one is imported twice.
    """

    tape: Tape
    calls: Sequence[LLMCall] = ()
    sources: Sequence[dict[str, Any] | None] = ()
    digest: str = ""
    title: str = ""
    agent_name: str = ""
    agent_version_id: UUID | None = None
    import_part: UUID | None = None
    """Which file of which import it is from."""

    stored_calls: Mapping[str, UUID] = field(default_factory=dict)
    """Calls that are stored already, by prompt id; an import stores calls before tapes."""

    stored_totals: Mapping[str, float] = field(default_factory=dict)
    """What the calls stored already add to the tape's counters."""


def save_tape(
    project: UUID,
    tape: Tape,
    *,
    owner: int | None = None,
    calls: Sequence[LLMCall] = (),
    sources: Sequence[dict[str, Any] | None] = (),
    batch: UUID | None = None,
    writer: Writer | None = None,
    digest: str = "",
    title: str = "",
    agent_name: str = "",
    agent_version: UUID | None = None,
) -> UUID:
    """Store a tape and return its id: its own, unless that is not a UUID or is taken.

    Its original id is kept as `source_id`.
    """
    new = NewTape(
        tape,
        calls=calls,
        sources=sources,
        digest=digest,
        title=title,
        agent_name=agent_name,
        agent_version_id=agent_version,
    )
    return save_tapes(project, [new], owner=owner, batch=batch, writer=writer)[0]


@transaction.atomic
def save_tapes(
    project: UUID,
    tapes: Sequence[NewTape],
    *,
    owner: int | None = None,
    batch: UUID | None = None,
    writer: Writer | None = None,
) -> list[UUID]:
    """Store tapes in a constant number of queries, however many there are.

    A parent that is stored in the project, or is among these tapes, is linked; steps are not shared
    with it (see `save_spliced`).
    """
    if not tapes:
        return []
    if batch is not None and not BatchRecord.objects.filter(id=batch, project=project).exists():
        raise ConflictError("The batch does not exist in this project.", batch_id=str(batch))
    ids = _choose_ids(tapes)
    call_ids = _save_calls(tapes, ids, batch, CallWriter(project, owner=owner))
    records: list[TapeRecord] = []
    load_families = assigned_families_in(project)
    if any(isinstance(step, UnknownStep) for new in tapes for step in new.tape.steps):
        load_families()  # now: while steps are copied to PostgreSQL, its connection is busy

    def steps() -> Iterator[NewStep]:
        for new, tape_id, calls_of_tape in zip(tapes, ids, call_ids, strict=True):
            own = build_steps(
                tape_id,
                0,
                new.tape.steps,
                families=load_families,
                writer=writer,
                call_ids={**new.stored_calls, **calls_of_tape},
            )
            record = _tape_record(new, tape_id, own)
            record.project_id, record.owner_id, record.batch_id = project, owner, batch
            records.append(record)
            yield from own

    # Steps before their tapes: they are prepared while PostgreSQL stores those before them.
    insert_steps(steps())
    _link_parents(project, tapes, records)
    insert_records(records)
    count_in_batch(batch, records)
    return ids


def find_tapes_by_digest(project: UUID, digests: Sequence[str]) -> dict[str, UUID]:
    """Return the live tapes that were imported with these content digests."""
    found = TapeRecord.objects.filter(
        project_id=project, digest__in=[d for d in digests if d], deleted_at__isnull=True
    )
    rows = found.order_by().values_list("created_at", "id", "digest")
    # Sorted here: otherwise SQLite would scan all tapes in this order instead of looking them up.
    return {digest: tape_id for _, tape_id, digest in sorted(rows, reverse=True)}


def dump_metadata(metadata: TapeMetadata) -> dict[str, Any]:
    """Return metadata in stored form: the fields that were set, no defaults."""
    return dump_json_data(metadata, exclude_unset=True)


def _choose_ids(tapes: Sequence[NewTape]) -> list[UUID]:
    wanted = [read_uuid(new.tape.id) for new in tapes]
    taken = set(
        TapeRecord.objects.filter(id__in=[id for id in wanted if id]).values_list("id", flat=True)
    )
    ids = []
    for tape_id in wanted:
        chosen = uuid4() if tape_id is None or tape_id in taken else tape_id
        taken.add(chosen)
        ids.append(chosen)
    return ids


def _save_calls(
    tapes: Sequence[NewTape],
    ids: Sequence[UUID],
    batch: UUID | None,
    writer: CallWriter,
) -> list[Mapping[str, UUID]]:
    calls = [call for new in tapes for call in new.calls]
    if not calls:
        return [{} for _ in tapes]
    sources = [
        source
        for new in tapes
        for source in (*new.sources, *[None] * (len(new.calls) - len(new.sources)))
    ]
    owners = [tape_id for new, tape_id in zip(tapes, ids, strict=True) for _ in new.calls]
    call_ids = iter(writer.save(calls, tape_ids=owners, batch_id=batch, sources=sources))
    return [{call.prompt.id: next(call_ids) for call in new.calls} for new in tapes]


def _tape_record(new: NewTape, tape_id: UUID, steps: Sequence[NewStep]) -> TapeRecord:
    tape = new.tape
    error_count = sum(step.is_error for step in steps)
    metadata = dump_metadata(tape.metadata)
    return TapeRecord(
        id=tape_id,
        source_id=fit_text(tape.id, 200),
        metadata=metadata,
        context=tape.context.to_json() if isinstance(tape.context, Tape) else tape.context,
        title=fit_text(new.title, 300) or title_of(tape),
        author=fit_text(tape.metadata.author, 200),
        agent_name=fit_text(new.agent_name, 200) or root_agent(tape.steps),
        agent_version_id=new.agent_version_id,
        digest=new.digest,
        import_part=new.import_part,
        spans=write_spans(join_spans([Span(tape_id, 0, len(steps))])),
        step_count=len(steps),
        own_step_count=len(steps),
        error_count=error_count,
        has_error=error_count > 0 or bool(tape.metadata.error),
        **outcome_columns(metadata, tape),
        **{
            name: count + new.stored_totals.get(name, 0)
            for name, count in sum_call_columns(new.calls).items()
        },
    )


def _link_parents(project: UUID, tapes: Sequence[NewTape], records: Sequence[TapeRecord]) -> None:
    together = {new.tape.id: record for new, record in zip(tapes, records, strict=True)}
    wanted = {new.tape.metadata.parent_id for new in tapes} - {None} - set(together)
    stored = _stored_parents(project, wanted)
    for new, record in zip(tapes, records, strict=True):
        parent_id = new.tape.metadata.parent_id or ""
        if parent_id == new.tape.id:
            continue  # some files name a tape as its own parent
        parent = together.get(parent_id)
        if parent is None:
            parent = stored.get(parent_id)
        if parent is not None and not _is_ancestor(record, parent):
            record.parent = parent
    for record in records:
        if record.parent is not None:
            record.root_id = _root_of(record)


def _stored_parents(project: UUID, wanted: set[str | None]) -> dict[str, TapeRecord]:
    ids = [tape_id for text in wanted if (tape_id := read_uuid(text)) is not None]
    if not ids:
        return {}
    found = pick_tapes(ids, project).defer("metadata", "context")
    return {str(record.id): record for record in found}


def _is_ancestor(record: TapeRecord, of: TapeRecord) -> bool:
    """Return whether linking would create a cycle: files may claim anything."""
    at: TapeRecord | None = of
    while at is not None:
        if at is record:
            return True
        at = at.parent if at._state.adding else None
    return False


def _root_of(record: TapeRecord) -> UUID:
    at = record
    while at._state.adding and at.parent is not None:
        at = at.parent
    return at.root_id or at.id


def count_in_batch(
    batch: UUID | None, records: Sequence[TapeRecord], *, change: Literal[1, -1] = 1
) -> None:
    """Add new or restored tapes to the counters of their batch, or subtract deleted ones."""
    if batch is None:
        return
    BatchRecord.objects.filter(id=batch).update(
        tape_count=F("tape_count") + change * len(records),
        error_count=F("error_count") + change * sum(record.has_error for record in records),
    )
