"""What an import needs from the store beyond saving: finding, linking, discarding; splits."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import F, QuerySet

from tapes_app.engine.tape.field_diff import count_equal_start
from tapes_app.engine.tape.tape import Split
from tapes_app.interchange.tape_codec import ImportedTape
from tapes_app.models import BatchRecord, LLMCallRecord, StepRecord, TapeRecord
from tapes_app.projects.domain.columns import fit_text
from tapes_app.tapes.domain.spans import read_spans
from tapes_app.tapes.store.access import is_in
from tapes_app.tapes.store.counters import COUNTERS, TOTALS, count_spans
from tapes_app.tapes.store.step_writing import PROMPT_ID_LENGTH

_MAX_CANDIDATES = 20_000
"""Ids in files may all be the same; checking more of them would make an import quadratic."""


@dataclass(frozen=True, slots=True)
class StoredCall:
    """A stored call, with the columns that an import needs."""

    id: UUID
    prompt_id: str
    batch_id: UUID | None
    file: str
    """The file that it came from; empty for calls that were made here."""

    digest: str
    """Digest of the row that it came from."""

    import_part: UUID | None
    """Which file of which import stored it."""

    totals: Mapping[str, float]


def find_calls_by_prompt_ids(project: UUID, prompt_ids: Iterable[str]) -> list[StoredCall]:
    """Return the calls of a project with one of these prompt ids, oldest first."""
    wanted = {fit_text(prompt_id, PROMPT_ID_LENGTH) for prompt_id in prompt_ids} - {""}
    if not wanted:
        return []
    records = (
        LLMCallRecord.objects.filter(project_id=project, prompt_id__in=wanted)
        .order_by("created_at", "id")
        .only("id", "prompt_id", "batch_id", "source", "import_part", *TOTALS)
    )
    return [_stored_call(record) for record in records[:_MAX_CANDIDATES]]


def _stored_call(record: LLMCallRecord) -> StoredCall:
    source: dict[str, Any] = record.source or {}
    return StoredCall(
        id=record.id,
        prompt_id=record.prompt_id,
        batch_id=record.batch_id,
        file=str(source.get("file", "")),
        digest=str(source.get("digest", "")),
        import_part=record.import_part,
        totals={
            **{name: getattr(record, name) or 0 for name in TOTALS},
            "llm_call_count": 1,
            "unpriced_call_count": record.cost_micro_usd is None,
        },
    )


def choose_calls(
    item: ImportedTape, found: Mapping[str, Sequence[StoredCall]]
) -> dict[str, StoredCall]:
    """Return the call for each prompt id: of several, the newest one in the nearest folder.

    Files repeat ids, so the nearest file decides.
    """
    chosen: dict[str, StoredCall] = {}
    for prompt_id in {step.metadata.prompt_id for step in item.tape.steps}:
        candidates = found.get(prompt_id, ())
        if candidates:
            chosen[prompt_id] = max(
                reversed(candidates), key=lambda call: _nearness(call, item.source.file)
            )
    return chosen


def _nearness(call: StoredCall, file_name: str) -> int:
    """Return how many folders a call's file and a tape's file share, from the top."""
    mine, other = PurePosixPath(file_name).parts[:-1], PurePosixPath(call.file).parts[:-1]
    # A call that is deeper in another folder belongs to that folder.
    return count_equal_start(mine, other) * 2 - len(other)


def sum_stored_calls(calls: Iterable[StoredCall]) -> dict[str, float]:
    """Return what the calls behind a tape's steps add to its counters, each call counted once."""
    totals: dict[str, float] = dict.fromkeys(COUNTERS, 0)
    for call in {call.id: call for call in calls}.values():
        for name in COUNTERS:
            totals[name] += call.totals[name]
    return totals


@transaction.atomic
def link_steps_of_tapes(tape_ids: Sequence[UUID], calls: Mapping[str, StoredCall]) -> None:
    """Link steps without a call to their calls."""
    _link(StepRecord.objects.filter(log_id__in=tape_ids), calls)


@transaction.atomic
def link_steps_of_batch(batch: UUID, calls: Mapping[str, StoredCall]) -> None:
    """Do the same as `link_steps_of_tapes` for all tapes of a batch, whose calls may come later."""
    _link(StepRecord.objects.filter(log__batch_id=batch), calls)


def _link(steps: QuerySet[StepRecord], calls: Mapping[str, StoredCall]) -> None:
    waiting = steps.filter(llm_call__isnull=True, prompt_id__in=list(calls))
    linked: list[StepRecord] = []
    for step in waiting.only("id", "prompt_id", "log_id"):
        step.llm_call_id = calls[step.prompt_id].id
        linked.append(step)
    if linked:
        StepRecord.objects.bulk_update(linked, ["llm_call"], batch_size=500)
        for tape in TapeRecord.objects.filter(id__in={step.log_id for step in linked}):
            counts = count_spans(read_spans(tape.spans))
            TapeRecord.objects.filter(id=tape.id).update(**counts)


@transaction.atomic
def link_late_parents(project: UUID, wanted: Mapping[UUID, str]) -> None:
    """Link tapes to parents that are known by the id in their file.

    `wanted` has the parent's id for each child that has no parent yet.
    """
    by_source: dict[str, list[TapeRecord]] = {}
    parents = TapeRecord.objects.filter(
        is_in(project),
        source_id__in={fit_text(source_id, 200) for source_id in wanted.values()},
        deleted_at__isnull=True,
    ).order_by()
    found = parents.only("id", "source_id", "batch_id", "created_at")
    # Sorted here: with ORDER BY, SQLite would walk through all tapes instead of looking them up.
    for parent in sorted(found, key=lambda tape: (tape.created_at, tape.id), reverse=True):
        by_source.setdefault(parent.source_id, []).append(parent)
    if not by_source:
        return
    children = TapeRecord.objects.filter(id__in=list(wanted))
    for child in children.only("id", "batch_id", "root_id", "parent_id"):
        # Checked here: as a condition of the query, it would make SQLite scan all tapes without
        # one.
        if child.parent_id is not None:
            continue
        candidates = by_source.get(fit_text(wanted[child.id], 200), [])
        # If several tapes have this id, the one from the same import is the likelier parent.
        candidates = sorted(candidates, key=lambda tape: tape.batch_id != child.batch_id)
        for candidate in candidates:
            if _adopt(child.id, candidate.id):
                break


def _adopt(child: UUID, parent: UUID) -> bool:
    """Make one tape the parent of another, unless that would create a cycle."""
    root = TapeRecord.objects.filter(id=parent).values_list("root_id", flat=True).first() or parent
    if child in (parent, root):
        return False
    TapeRecord.objects.filter(id=child).update(parent_id=parent, root_id=root)
    # Descendants of the child get a new oldest ancestor as well.
    TapeRecord.objects.filter(root_id=child).update(root_id=root)
    return True


def list_import_parts(batch: UUID) -> set[UUID]:
    """Return the parts of imports of which a batch has tapes or calls."""
    parts: set[UUID | None] = set()
    for rows in (TapeRecord.objects, LLMCallRecord.objects):
        found = rows.filter(batch_id=batch).order_by()
        parts.update(found.values_list("import_part", flat=True).distinct())
    return {part for part in parts if part is not None}


def list_tapes_of_part(tape_ids: Iterable[UUID], part: UUID) -> set[UUID]:
    """Return which of some tapes a part of an import has stored."""
    found = TapeRecord.objects.filter(id__in=list(tape_ids), import_part=part)
    return set(found.values_list("id", flat=True))


@transaction.atomic
def discard_part(batch: UUID, part: UUID) -> list[UUID]:
    """Discard what a part of an import has stored, because the rest of it failed.

    Returns the tapes that it had stored.
    """
    tapes = TapeRecord.objects.filter(batch_id=batch, import_part=part)
    calls = LLMCallRecord.objects.filter(batch_id=batch, import_part=part)
    tape_ids = list(tapes.values_list("id", flat=True))
    for batch_id, has_error in tapes.values_list("batch_id", "has_error"):
        BatchRecord.objects.filter(id=batch_id).update(
            tape_count=F("tape_count") - 1, error_count=F("error_count") - int(has_error)
        )
    TapeRecord.objects.filter(parent__in=tapes).update(parent=None, root=None)
    StepRecord.objects.filter(llm_call__in=calls).update(llm_call=None)
    tapes.update(parent=None, root=None)
    tapes.delete()
    calls.delete()
    return tape_ids


def set_splits(tape_ids: Mapping[Split, Sequence[UUID]]) -> None:
    """Set the splits of new tapes, which cannot yet be part of an undoable change."""
    for split, ids in tape_ids.items():
        if split and ids:
            TapeRecord.objects.filter(id__in=ids).update(split=split)
