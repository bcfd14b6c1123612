"""What an import asks of the store beyond saving: calls found again, linked late, taken back."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import F

from tapes_app.models import BatchRecord, LLMCallRecord, StepRecord, TapeRecord
from tapes_app.projects.columns import fit_text
from tapes_app.tapes.spans import read_spans
from tapes_app.tapes.store.access import is_in
from tapes_app.tapes.store.counters import COUNTERS, TOTALS, count_spans
from tapes_app.tapes.store.step_writing import PROMPT_ID_LENGTH

_MAX_CANDIDATES = 20_000
"""Ids of files may all be the same; looking at more of them would make an import quadratic."""


@dataclass(frozen=True, slots=True)
class StoredCall:
    """A call that is in the store, as an import needs to know it."""

    id: UUID
    prompt_id: str
    batch_id: UUID | None
    file: str
    """The file that it came from; empty for calls that were made here."""

    digest: str
    """Digest of the row that it came from."""

    totals: Mapping[str, float]


def find_calls_by_prompt_ids(project: UUID, prompt_ids: Iterable[str]) -> list[StoredCall]:
    """Return the calls of a project with one of these prompt ids, oldest first."""
    wanted = {fit_text(prompt_id, PROMPT_ID_LENGTH) for prompt_id in prompt_ids} - {""}
    if not wanted:
        return []
    records = (
        LLMCallRecord.objects.filter(project_id=project, prompt_id__in=wanted)
        .order_by("created_at", "id")
        .only("id", "prompt_id", "batch_id", "source", *TOTALS)
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
        totals={
            **{name: getattr(record, name) or 0 for name in TOTALS},
            "llm_call_count": 1,
            "unpriced_call_count": record.cost_micro_usd is None,
        },
    )


def sum_stored_calls(calls: Iterable[StoredCall]) -> dict[str, float]:
    """Return what the calls behind a tape's steps add to its counters, each call once."""
    totals: dict[str, float] = dict.fromkeys(COUNTERS, 0)
    for call in {call.id: call for call in calls}.values():
        for name in COUNTERS:
            totals[name] += call.totals[name]
    return totals


@transaction.atomic
def link_steps_of_tapes(tape_ids: Sequence[UUID], calls: Mapping[str, StoredCall]) -> int:
    """Point steps that have no call yet to theirs; return how many steps were linked."""
    waiting = StepRecord.objects.filter(
        log_id__in=tape_ids, llm_call__isnull=True, prompt_id__in=list(calls)
    )
    return _link(waiting.only("id", "prompt_id", "log_id"), calls)


@transaction.atomic
def link_steps_of_batch(batch: UUID, calls: Mapping[str, StoredCall]) -> int:
    """Do as `link_steps_of_tapes` for all tapes of a batch: their calls may come later."""
    waiting = StepRecord.objects.filter(
        log__batch_id=batch, llm_call__isnull=True, prompt_id__in=list(calls)
    )
    return _link(waiting.only("id", "prompt_id", "log_id"), calls)


def _link(waiting: Iterable[StepRecord], calls: Mapping[str, StoredCall]) -> int:
    linked: list[StepRecord] = []
    for step in waiting:
        step.llm_call_id = calls[step.prompt_id].id
        linked.append(step)
    if linked:
        StepRecord.objects.bulk_update(linked, ["llm_call"], batch_size=500)
        for tape in TapeRecord.objects.filter(id__in={step.log_id for step in linked}):
            counts = count_spans(read_spans(tape.spans))
            TapeRecord.objects.filter(id=tape.id).update(**counts)
    return len(linked)


@transaction.atomic
def link_late_parents(project: UUID, wanted: Mapping[UUID, str]) -> int:
    """Link tapes to parents that are known by the id of their file; return how many.

    `wanted` holds the parent's id for each child that has no parent yet.
    """
    by_source: dict[str, list[TapeRecord]] = {}
    parents = TapeRecord.objects.filter(
        is_in(project),
        source_id__in={fit_text(source_id, 200) for source_id in wanted.values()},
        deleted_at__isnull=True,
    ).order_by()
    found = parents.only("id", "source_id", "batch_id", "created_at")
    # Sorted here: SQLite would rather walk through all tapes in this order than look them up.
    for parent in sorted(found, key=lambda tape: (tape.created_at, tape.id), reverse=True):
        by_source.setdefault(parent.source_id, []).append(parent)
    if not by_source:
        return 0
    children = TapeRecord.objects.filter(id__in=list(wanted))
    count = 0
    for child in children.only("id", "batch_id", "root_id", "parent_id"):
        # Asked for by the database, SQLite would go through all tapes without a parent.
        if child.parent_id is not None:
            continue
        candidates = by_source.get(fit_text(wanted[child.id], 200), [])
        # Of several tapes with this id the one that came along is the likelier parent.
        candidates = sorted(candidates, key=lambda tape: tape.batch_id != child.batch_id)
        count += any(_adopt(child.id, candidate.id) for candidate in candidates)
    return count


def _adopt(child: UUID, parent: UUID) -> bool:
    """Make one tape the parent of another, unless that would close a circle."""
    root = TapeRecord.objects.filter(id=parent).values_list("root_id", flat=True).first() or parent
    if child in (parent, root):
        return False
    TapeRecord.objects.filter(id=child).update(parent_id=parent, root_id=root)
    # What descends from the child has a new oldest ancestor as well.
    TapeRecord.objects.filter(root_id=child).update(root_id=root)
    return True


@transaction.atomic
def discard_imported(tape_ids: Sequence[UUID], call_ids: Sequence[UUID]) -> None:
    """Take back what an import has just written, because the rest of its file failed."""
    tapes = TapeRecord.objects.filter(id__in=list(tape_ids))
    for batch_id, has_error in tapes.values_list("batch_id", "has_error"):
        BatchRecord.objects.filter(id=batch_id).update(
            tape_count=F("tape_count") - 1, error_count=F("error_count") - int(has_error)
        )
    TapeRecord.objects.filter(parent_id__in=list(tape_ids)).update(parent=None, root=None)
    StepRecord.objects.filter(llm_call_id__in=list(call_ids)).update(llm_call=None)
    tapes.update(parent=None, root=None)
    tapes.delete()
    LLMCallRecord.objects.filter(id__in=list(call_ids)).delete()
