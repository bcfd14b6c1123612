"""Which tapes are in a dataset: many put in and taken out at once, and undoing that."""

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
    """Put all tapes of a list into a dataset; what is in it already stays.

    Raises:
        NotFoundError: no such dataset in this project.
    """
    # Locked: of two who add the same at once, one alone changes something.
    get_dataset(dataset_id, project, for_update=True)
    chosen = sorted(list_all_ids(project, where))
    known = _list_members(dataset_id)
    fresh = [tape_id for tape_id in chosen if tape_id not in known]
    _put_in(dataset_id, fresh)
    before: dict[Value, Collection[UUID]] = {dataset_id.hex: fresh}
    return log_change(project, ADDED, before, tape_count=len(chosen), owner=owner)


@transaction.atomic
def put_in(
    dataset_id: UUID, project: UUID, tape_ids: Sequence[UUID], *, owner: int | None
) -> UndoableChange:
    """Put any number of tapes of the project into a dataset; what is in it already stays.

    Raises:
        NotFoundError: no such dataset in this project.
    """
    get_dataset(dataset_id, project, for_update=True)
    known = _list_members(dataset_id)
    fresh = [tape_id for tape_id in dict.fromkeys(tape_ids) if tape_id not in known]
    _put_in(dataset_id, fresh)
    before: dict[Value, Collection[UUID]] = {dataset_id.hex: fresh}
    return log_change(project, ADDED, before, tape_count=len(tape_ids), owner=owner)


@transaction.atomic
def remove_tapes(
    dataset_id: UUID, project: UUID, where: TapeFilter, *, owner: int | None
) -> UndoableChange:
    """Take all tapes of a list out of a dataset; the tapes themselves stay.

    They are listed first: taking a tape out may be what takes it out of the list.

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
    """Take a change back: what it put in goes, what it took out comes; return how many those are.

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
            # What somebody put in again in the meantime is in it once.
            known = _list_members(dataset_id)
            _put_in(dataset_id, [tape_id for tape_id in tapes if tape_id not in known])
        count += len(tapes)
    return count


def _list_members(dataset_id: UUID) -> set[UUID]:
    members = DatasetTapeRecord.objects.filter(dataset_id=dataset_id)
    return set(members.values_list("tape_id", flat=True))


def _put_in(dataset_id: UUID, tapes: Sequence[UUID]) -> None:
    """Put tapes in that are not in it yet; the caller holds the lock."""
    now = timezone.now()
    rows = ((dataset_id, tape_id, now) for tape_id in tapes)
    insert_rows(DatasetTapeRecord, ("dataset_id", "tape_id", "added_at"), rows)
    _touch(dataset_id, tapes)


def _take_out(dataset_id: UUID, tapes: Sequence[UUID]) -> None:
    for start in range(0, len(tapes), _PAGE):
        page = tapes[start : start + _PAGE]
        DatasetTapeRecord.objects.filter(dataset_id=dataset_id, tape_id__in=page).delete()
    _touch(dataset_id, tapes)


def _touch(dataset_id: UUID, tapes: Collection[UUID]) -> None:
    if tapes:
        DatasetRecord.objects.filter(id=dataset_id).update(updated_at=timezone.now())
