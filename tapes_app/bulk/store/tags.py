"""Tags of tapes: added to and removed from many in one go, counted, and restored."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.db.models import Count

from tapes_app.bulk.store.undo_log import KeptChange, UndoableChange, Value, log_change
from tapes_app.engine.errors import InvalidInputError
from tapes_app.library.store.lists import list_all_ids
from tapes_app.library.store.plans import TapeFilter
from tapes_app.models import TapeTagRecord
from tapes_app.projects.domain.columns import check_text

TAGS = "tags"
NAME_LENGTH = 100
_PAGE = 2_000
_BLANKS = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class TagCount:
    """A tag, and how many tapes of the project have it."""

    name: str
    tape_count: int


def clean_tag(name: str) -> str:
    """Return a tag as it is stored: lower case, single blanks, stripped.

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


def read_tags(project: UUID, tape_ids: Sequence[UUID]) -> dict[UUID, list[str]]:
    """Return the tags of the given tapes by name; tapes without tags are not included."""
    found: dict[UUID, list[str]] = {}
    rows = TapeTagRecord.objects.filter(project_id=project).order_by("name")
    for start in range(0, len(tape_ids), _PAGE):
        page = rows.filter(tape_id__in=tape_ids[start : start + _PAGE])
        for tape_id, name in page.values_list("tape_id", "name"):
            found.setdefault(tape_id, []).append(name)
    return found


@transaction.atomic
def change_tags(
    project: UUID,
    where: TapeFilter,
    *,
    add: Collection[str],
    remove: Collection[str],
    owner: int | None,
) -> UndoableChange:
    """Add tags to all tapes of a list and remove others. Names are already clean.

    The tapes are listed first, because adding a tag may also remove a tape from the list.

    Raises:
        NotFoundError: the tape of `family_of` is not in this project.
    """
    chosen = list_all_ids(project, where)
    added = {name: _pick(project, name, chosen, have=False) for name in add}
    removed = {name: _pick(project, name, chosen, have=True) for name in remove}
    put_on(project, added)
    _take_off(project, removed)
    before: dict[Value, Collection[UUID]] = {f"+{name}": ids for name, ids in added.items()}
    before |= {f"-{name}": ids for name, ids in removed.items()}
    return log_change(project, TAGS, before, tape_count=len(chosen), owner=owner)


def restore(project: UUID, change: KeptChange) -> int:
    """Undo a change: remove exactly the tags that it added, add those that it removed.

    Returns how many tapes that affected.
    """
    before = [(str(value), ids) for value, ids in change.before]
    _take_off(project, {value[1:]: ids for value, ids in before if value.startswith("+")})
    put_on(project, {value[1:]: ids for value, ids in before if value.startswith("-")})
    return len({tape_id for _, ids in before for tape_id in ids})


def _pick(project: UUID, name: str, chosen: Iterable[UUID], *, have: bool) -> list[UUID]:
    """Return which of the chosen tapes have a tag, or which do not."""
    rows = TapeTagRecord.objects.filter(project_id=project, name=name)
    having = set(rows.values_list("tape_id", flat=True))
    return [tape_id for tape_id in chosen if (tape_id in having) is have]


def put_on(project: UUID, wanted: Mapping[str, Sequence[UUID]]) -> None:
    rows = (
        TapeTagRecord(project_id=project, tape_id=tape_id, name=name)
        for name, ids in wanted.items()
        for tape_id in ids
    )
    TapeTagRecord.objects.bulk_create(rows, batch_size=_PAGE, ignore_conflicts=True)


def _take_off(project: UUID, wanted: Mapping[str, Sequence[UUID]]) -> None:
    for name, ids in wanted.items():
        rows = TapeTagRecord.objects.filter(project_id=project, name=name)
        for start in range(0, len(ids), _PAGE):
            rows.filter(tape_id__in=ids[start : start + _PAGE]).delete()
