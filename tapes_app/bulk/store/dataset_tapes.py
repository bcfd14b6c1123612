"""Which tapes are in a dataset: adding and removing many in one go, and undoing that."""

from collections.abc import Collection, Sequence
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from tapes_app.bulk.store.datasets import get_dataset
from tapes_app.bulk.store.undo_log import KeptChange, UndoableChange, Value, log_change
from tapes_app.library.store.lists import list_all_ids
from tapes_app.library.store.plans import TapeFilter
from tapes_app.models import DatasetRecord, DatasetTapeRecord
from tapes_app.projects.store.inserting import insert_rows

ADDED = "added_to_dataset"
REMOVED = "removed_from_dataset"
_PAGE = 2_000


@transaction.atomic
def add_tapes(
    dataset_id: UUID, project: UUID, where: TapeFilter, *, owner: int | None
) -> UndoableChange:
    """Add all tapes of a list to a dataset; tapes that are already in it stay.

    Raises:
        NotFoundError: no such dataset in this project.
    """
    # Locked: if two people add the same tapes concurrently, only one of them changes something.
    get_dataset(dataset_id, project, for_update=True)
    return _add(dataset_id, project, sorted(list_all_ids(project, where)), owner)


@transaction.atomic
def put_in(
    dataset_id: UUID, project: UUID, tape_ids: Sequence[UUID], *, owner: int | None
) -> UndoableChange:
    """Add any number of the project's tapes to a dataset; tapes that are already in it stay.

    Raises:
        NotFoundError: no such dataset in this project.
    """
    get_dataset(dataset_id, project, for_update=True)
    return _add(dataset_id, project, tape_ids, owner)


@transaction.atomic
def remove_tapes(
    dataset_id: UUID, project: UUID, where: TapeFilter, *, owner: int | None
) -> UndoableChange:
    """Remove all tapes of a list from a dataset; the tapes themselves stay.

    They are listed first, because removing a tape may also remove it from the list.

    Raises:
        NotFoundError: no such dataset in this project.
    """
    get_dataset(dataset_id, project, for_update=True)
    chosen = sorted(list_all_ids(project, where))
    known = _list_members(dataset_id)
    going = [tape_id for tape_id in chosen if tape_id in known]
    _take_out(dataset_id, going)
    before: dict[Value, Collection[UUID]] = {dataset_id.hex: going}
    return log_change(project, REMOVED, before, tape_count=len(chosen), owner=owner)


def restore(project: UUID, change: KeptChange) -> int:
    """Undo a change: remove what it added, add what it removed; return how many tapes that is.

    Raises:
        NotFoundError: its dataset is deleted.
    """
    count = 0
    for text, tapes in change.before:
        dataset_id = UUID(str(text))
        get_dataset(dataset_id, project, for_update=True)
        if change.name == ADDED:
            _take_out(dataset_id, tapes)
        else:
            # A tape that was added again in the meantime must not be in it twice.
            _put_in(dataset_id, tapes)
        count += len(tapes)
    return count


def _list_members(dataset_id: UUID) -> set[UUID]:
    members = DatasetTapeRecord.objects.filter(dataset_id=dataset_id)
    return set(members.values_list("tape_id", flat=True))


def _add(
    dataset_id: UUID, project: UUID, tape_ids: Sequence[UUID], owner: int | None
) -> UndoableChange:
    before: dict[Value, Collection[UUID]] = {dataset_id.hex: _put_in(dataset_id, tape_ids)}
    return log_change(project, ADDED, before, tape_count=len(tape_ids), owner=owner)


def _put_in(dataset_id: UUID, tapes: Sequence[UUID]) -> list[UUID]:
    """Add the tapes that are not in the dataset yet and return them; the caller holds the lock."""
    known = _list_members(dataset_id)
    fresh = [tape_id for tape_id in dict.fromkeys(tapes) if tape_id not in known]
    now = timezone.now()
    rows = ((dataset_id, tape_id, now) for tape_id in fresh)
    insert_rows(DatasetTapeRecord, ("dataset_id", "tape_id", "added_at"), rows)
    _touch(dataset_id, fresh)
    return fresh


def _take_out(dataset_id: UUID, tapes: Sequence[UUID]) -> None:
    for start in range(0, len(tapes), _PAGE):
        page = tapes[start : start + _PAGE]
        DatasetTapeRecord.objects.filter(dataset_id=dataset_id, tape_id__in=page).delete()
    _touch(dataset_id, tapes)


def _touch(dataset_id: UUID, tapes: Collection[UUID]) -> None:
    if tapes:
        DatasetRecord.objects.filter(id=dataset_id).update(updated_at=timezone.now())
