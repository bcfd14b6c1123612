"""Drafts: what one person is editing on one tape, with undo, saved as one types.

A person has several on one tape, its fixes, told apart by a letter.
"""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from tapes_app.editing.fixes import FIRST_FIX, LONGEST_NAME, Fix
from tapes_app.editing.rows import DraftRow, OtherDraft
from tapes_app.engine.errors import ConflictError, InvalidInputError
from tapes_app.models import DraftRecord
from tapes_app.projects.columns import fit_line
from tapes_app.projects.rows import row_of
from tapes_app.projects.store.records import refusing_doubles
from tapes_app.tapes.store.access import get_tape, refuse_archived, require_tape

_CHANGED = "The draft was changed in another window; reload it."


def load_draft(
    tape_id: UUID, project: UUID, *, person: int, fix: Fix = FIRST_FIX
) -> DraftRow | None:
    """Return one of a person's drafts on a tape, if there is it.

    Raises:
        NotFoundError: no such tape in this project.
    """
    require_tape(tape_id, project)
    record = _drafts(tape_id, person).filter(letter=fix).first()
    return _row(record) if record is not None else None


def list_drafts(tape_id: UUID, project: UUID, *, person: int) -> tuple[DraftRow, ...]:
    """Return all of a person's drafts on a tape, by letter.

    Raises:
        NotFoundError: no such tape in this project.
    """
    require_tape(tape_id, project)
    return tuple(map(_row, _drafts(tape_id, person).order_by("letter")))


def find_newest_draft(tape_id: UUID, *, person: int) -> DraftRow | None:
    """Return the draft on a tape that the person changed last."""
    record = _drafts(tape_id, person).order_by("-updated_at", "letter").first()
    return _row(record) if record is not None else None


def list_other_drafts(tape_id: UUID, project: UUID, *, person: int) -> tuple[OtherDraft, ...]:
    """Return the drafts of others on a tape that change something, the newest first."""
    found = DraftRecord.objects.filter(
        tape_id=tape_id, tape__project_id=project, applied_count__gt=0
    ).exclude(person_id=person)
    rows = found.order_by("-updated_at").values_list(
        "person__username", "applied_count", "updated_at"
    )
    newest: dict[str, OtherDraft] = {}
    for name, count, moment in rows:
        newest.setdefault(name, OtherDraft(name, count, moment))
    return tuple(newest.values())


def save_draft(
    tape_id: UUID,
    project: UUID,
    *,
    person: int,
    operations: Sequence[dict[str, Any]],
    applied_count: int,
    version: int,
    base_step_count: int | None = None,
    fix: Fix = FIRST_FIX,
    name: str | None = None,
) -> DraftRow:
    """Store a draft whole; `version` is what the writer last read, 0 for none.

    Without a `name` it keeps the one that it has.

    `base_step_count` is how many steps the writer knows of; by default as before, and for a
    draft that begins, as many as there are.

    Raises:
        NotFoundError: no such tape in this project.
        ArchivedError: the tape is archived.
        ConflictError: the draft was saved from somewhere else in the meantime.
        InvalidInputError: more operations count than there are.
    """
    if not 0 <= applied_count <= len(operations):
        raise InvalidInputError(
            f"{applied_count} operations cannot be applied: the draft has {len(operations)}."
        )
    tape = get_tape(tape_id, project)
    refuse_archived(tape)
    values = {"operations": list(operations), "applied_count": applied_count}
    if base_step_count is not None:
        values["base_step_count"] = base_step_count
    if name is not None:
        values["name"] = fit_line(name, LONGEST_NAME)
    if version == 0:
        begun = {"base_step_count": tape.step_count, **values}
        with refusing_doubles(_CHANGED):
            DraftRecord.objects.create(tape=tape, person_id=person, letter=fix, version=1, **begun)
    else:
        mine = _drafts(tape_id, person).filter(letter=fix, version=version)
        won = mine.update(**values, version=version + 1, updated_at=timezone.now())
        if not won:
            raise ConflictError(_CHANGED)
    return _row(_drafts(tape_id, person).get(letter=fix))


def delete_draft(tape_id: UUID, project: UUID, *, person: int, fix: Fix = FIRST_FIX) -> None:
    """Throw one of a person's drafts away; there need not be it.

    Raises:
        NotFoundError: no such tape in this project.
    """
    require_tape(tape_id, project)
    _drafts(tape_id, person).filter(letter=fix).delete()


def _drafts(tape_id: UUID, person: int) -> QuerySet[DraftRecord]:
    return DraftRecord.objects.filter(tape_id=tape_id, person_id=person)


def _row(record: DraftRecord) -> DraftRow:
    return row_of(DraftRow, record, fix=record.letter, operations=tuple(record.operations))
