"""Changing many tapes in the same way: pinning, archiving, deleting, marking; and undoing that."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Literal
from uuid import UUID

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from tapes_app.bulk.store.undo_log import KeptChange, UndoableChange, Value, log_change
from tapes_app.jobs.domain.protocol import LIVE_STATES
from tapes_app.library.store.lists import list_all_ids
from tapes_app.library.store.plans import TapeFilter
from tapes_app.models import BatchRecord, JobRecord, TapeRecord

ChangeName = Literal["is_pinned", "is_archived", "is_deleted", "is_kept_from_training", "split"]

_PAGE = 500
_SINCE: Mapping[str, str] = {
    "is_pinned": "pinned_at",
    "is_archived": "archived_at",
    "is_deleted": "deleted_at",
}
"""Columns that store since when a value is true; the others store the value itself."""

AT_WORK = "it has an unfinished run"
BRANCHED_OFF = "another tape was forked from it and shares its steps"


@transaction.atomic
def change_tapes(
    project: UUID, where: TapeFilter, name: ChangeName, value: Value, *, owner: int | None
) -> UndoableChange:
    """Change all tapes of a list in the same way; those that cannot be changed stay as they are.

    The tapes are listed first, because the change may also remove a tape from the list.
    """
    chosen = sorted(list_all_ids(project, where))
    before = _read(chosen, name)
    wanted = [tape_id for tape_id, old in before.items() if old != value]
    left_out: Counter[str] = Counter()
    if value is True and name in ("is_archived", "is_deleted"):
        wanted = _leave_out(wanted, _list_working(wanted), AT_WORK, left_out)
    if name == "is_deleted":
        wanted = _leave_out(wanted, _list_parents_of_others(wanted), BRANCHED_OFF, left_out)
    _apply(wanted, name, value)
    kept: dict[Value, list[UUID]] = {}
    for tape_id in wanted:
        kept.setdefault(before[tape_id], []).append(tape_id)
    return log_change(project, name, kept, tape_count=len(chosen), owner=owner, left_out=left_out)


def restore(_project: UUID, change: KeptChange) -> int:
    """Restore the previous values of a change's tapes; return how many tapes that is.

    A tape whose parent was deleted stays deleted, and a running one is not archived.
    """
    count = 0
    for old, ids in change.before:
        wanted = ids
        if change.name == "is_archived" and old:
            wanted = _leave_out(wanted, _list_working(wanted), AT_WORK, Counter())
        if change.name == "is_deleted":
            wanted = _leave_out(wanted, _list_orphans(wanted), "", Counter())
        _apply(wanted, change.name, old)
        count += len(wanted)
    return count


def _read(chosen: Sequence[UUID], name: str) -> dict[UUID, Value]:
    """Return each tape's current value, locked in a fixed order so that changes cannot deadlock."""
    column = _SINCE.get(name, name)
    found: dict[UUID, Any] = {}
    for page in _pages(chosen):
        rows = TapeRecord.objects.select_for_update().filter(id__in=page, deleted_at__isnull=True)
        found.update(rows.order_by("id").values_list("id", column))
    if name in _SINCE:
        return {tape_id: since is not None for tape_id, since in found.items()}
    return found


def _apply(ids: Sequence[UUID], name: str, value: Value) -> None:
    now = timezone.now()
    since = now if value else None
    change = {_SINCE[name]: since} if name in _SINCE else {name: value}
    for page in _pages(ids):
        TapeRecord.objects.filter(id__in=page).update(**change, updated_at=now)
    if name == "is_deleted":
        _count_in_batches(ids, -1 if value else 1)


def _count_in_batches(ids: Sequence[UUID], change: int) -> None:
    tapes, errors = Counter[UUID](), Counter[UUID]()
    for page in _pages(ids):
        rows = TapeRecord.objects.filter(id__in=page, batch__isnull=False)
        for batch_id, has_error in rows.values_list("batch_id", "has_error"):
            if batch_id is not None:
                tapes[batch_id] += change
                errors[batch_id] += change if has_error else 0
    for batch_id, count in sorted(tapes.items()):
        BatchRecord.objects.filter(id=batch_id).update(
            tape_count=F("tape_count") + count, error_count=F("error_count") + errors[batch_id]
        )


def _list_working(ids: Sequence[UUID]) -> set[UUID]:
    working: set[UUID] = set()
    for page in _pages(ids):
        jobs = JobRecord.objects.filter(tape__in=page, state__in=LIVE_STATES)
        working.update(jobs.values_list("tape__id", flat=True))
    return working


def _list_parents_of_others(ids: Sequence[UUID]) -> set[UUID]:
    """Return which of the given tapes have a child that stays."""
    edges: list[tuple[UUID, UUID]] = []
    for page in _pages(ids):
        children = TapeRecord.objects.filter(parent__in=page, deleted_at__isnull=True)
        edges += list(children.values_list("id", "parent__id"))
    going, blocked = set(ids), set[UUID]()
    while found := {
        parent
        for child, parent in edges
        if parent not in blocked and (child not in going or child in blocked)
    }:
        blocked |= found
    return blocked


def _list_orphans(ids: Sequence[UUID]) -> set[UUID]:
    """Return the deleted tapes whose parent stays deleted."""
    coming, orphans = set(ids), set[UUID]()
    edges: list[tuple[UUID, UUID | None]] = []
    for page in _pages(ids):
        lost = TapeRecord.objects.filter(id__in=page, parent__deleted_at__isnull=False)
        edges += list(lost.values_list("id", "parent_id"))
    while found := {
        child
        for child, parent in edges
        if child not in orphans and (parent not in coming or parent in orphans)
    }:
        orphans |= found
    return orphans


def _leave_out(
    ids: Sequence[UUID], unwanted: Collection[UUID], why: str, left_out: Counter[str]
) -> list[UUID]:
    kept = [tape_id for tape_id in ids if tape_id not in unwanted]
    if len(kept) < len(ids):
        left_out[why] += len(ids) - len(kept)
    return kept


def _pages(ids: Sequence[UUID]) -> Iterator[Sequence[UUID]]:
    for start in range(0, len(ids), _PAGE):
        yield ids[start : start + _PAGE]
