"""Tags of tapes: put on and taken off many at once, counted, and put back as they were."""

import re
import unicodedata
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.db.models import Count
from django.utils import timezone

from tapes_app.bulk.store.undo_log import KEEP_CHANGES_FOR, UndoableChange
from tapes_app.engine.errors import InvalidInputError, NotFoundError
from tapes_app.library.store.lists import list_all_ids
from tapes_app.library.store.plans import TapeFilter
from tapes_app.models import TagChangeRecord, TapeTagRecord
from tapes_app.projects.columns import check_text

NAME_LENGTH = 100
_PAGE = 2_000
_BLANKS = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class TagCount:
    """A tag, and how many tapes of the project have it."""

    name: str
    tape_count: int


def clean_tag(name: str) -> str:
    """Return a tag as it is stored: lower case, blanks single and none around it.

    Raises:
        InvalidInputError: nothing is left of it, or it is too long.
    """
    clean = unicodedata.normalize("NFC", _BLANKS.sub(" ", name).strip().lower())
    if not clean:
        raise InvalidInputError("A tag needs at least one character.")
    return check_text(clean, NAME_LENGTH, "A tag")


def list_tags(project: UUID) -> list[TagCount]:
    """Return all tags of a project by name, each with how many tapes have it."""
    rows = (
        TapeTagRecord.objects.filter(project_id=project, tape__deleted_at__isnull=True)
        .values("name")
        .annotate(tape_count=Count("tape_id"))
        .order_by("name")
    )
    return [TagCount(row["name"], row["tape_count"]) for row in rows]


@transaction.atomic
def change_tags(
    project: UUID,
    where: TapeFilter,
    *,
    add: Collection[str],
    remove: Collection[str],
    owner: int | None,
) -> UndoableChange:
    """Put tags on all tapes of a list and take others off. Names are clean already.

    The tapes are listed first: putting a tag on may be what takes a tape out of the list.

    Raises:
        NotFoundError: the tape of `family_of` is not in this project.
    """
    chosen = list_all_ids(project, where)
    added = {name: _lacking(project, name, chosen) for name in add}
    removed = {name: _having(project, name, chosen) for name in remove}
    _put_on(project, added)
    _take_off(project, removed)
    changed = {tape_id for ids in (*added.values(), *removed.values()) for tape_id in ids}
    change_id = _keep(project, added, removed, owner=owner) if changed else None
    return UndoableChange(change_id, len(chosen), len(changed))


@transaction.atomic
def undo_tag_change(change_id: UUID, project: UUID) -> int:
    """Take a change back: exactly the tags that it put on go, those that it took off come.

    Returns how many tapes that touched. A change is undone once.

    Raises:
        NotFoundError: no such change in this project, or it was undone, or is a day old.
    """
    changes = TagChangeRecord.objects.filter(project_id=project).select_for_update()
    change = changes.filter(id=change_id).first()
    if change is None:
        raise NotFoundError("This tag change can no longer be undone.", change_id=str(change_id))
    added, removed = _read(change.added), _read(change.removed)
    _take_off(project, added)
    _put_on(project, removed)
    change.delete()
    return len({tape_id for ids in (*added.values(), *removed.values()) for tape_id in ids})


def _having(project: UUID, name: str, chosen: Iterable[UUID]) -> list[UUID]:
    having = _all_with(project, name)
    return [tape_id for tape_id in chosen if tape_id in having]


def _lacking(project: UUID, name: str, chosen: Iterable[UUID]) -> list[UUID]:
    having = _all_with(project, name)
    return [tape_id for tape_id in chosen if tape_id not in having]


def _all_with(project: UUID, name: str) -> set[UUID]:
    rows = TapeTagRecord.objects.filter(project_id=project, name=name)
    return set(rows.values_list("tape_id", flat=True))


def _put_on(project: UUID, wanted: dict[str, list[UUID]]) -> None:
    rows = (
        TapeTagRecord(project_id=project, tape_id=tape_id, name=name)
        for name, ids in wanted.items()
        for tape_id in ids
    )
    TapeTagRecord.objects.bulk_create(rows, batch_size=_PAGE, ignore_conflicts=True)


def _take_off(project: UUID, wanted: dict[str, list[UUID]]) -> None:
    for name, ids in wanted.items():
        rows = TapeTagRecord.objects.filter(project_id=project, name=name)
        for start in range(0, len(ids), _PAGE):
            rows.filter(tape_id__in=ids[start : start + _PAGE]).delete()


def _keep(
    project: UUID,
    added: dict[str, list[UUID]],
    removed: dict[str, list[UUID]],
    *,
    owner: int | None,
) -> UUID:
    """Store what was changed; older changes that nobody will undo are deleted."""
    changes = TagChangeRecord.objects.filter(project_id=project)
    changes.filter(created_at__lt=timezone.now() - KEEP_CHANGES_FOR).delete()
    record = TagChangeRecord.objects.create(
        project_id=project, owner_id=owner, added=_write(added), removed=_write(removed)
    )
    return record.id


def _write(ids: dict[str, list[UUID]]) -> dict[str, list[str]]:
    return {name: [tape_id.hex for tape_id in some] for name, some in ids.items() if some}


def _read(stored: dict[str, list[str]]) -> dict[str, list[UUID]]:
    return {name: [UUID(text) for text in some] for name, some in stored.items()}
