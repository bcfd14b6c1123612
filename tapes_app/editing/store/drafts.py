"""Drafts: what one person is editing on one tape, with undo, saved as one types."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.utils import timezone

from tapes_app.editing.rows import DraftRow, OtherDraft
from tapes_app.engine.errors import ConflictError, InvalidInputError
from tapes_app.models import DraftRecord
from tapes_app.projects.rows import row_of
from tapes_app.projects.store.records import refusing_doubles
from tapes_app.tapes.store.access import get_tape, refuse_archived

_CHANGED = "The draft was changed in another window; reload it."


def load_draft(tape_id: UUID, project: UUID, *, person: int) -> DraftRow | None:
    """Return a person's draft on a tape, if there is one.

    Raises:
        NotFoundError: no such tape in this project.
    """
    get_tape(tape_id, project)
    record = DraftRecord.objects.filter(tape_id=tape_id, person_id=person).first()
    return _row(record) if record is not None else None


def list_other_drafts(tape_id: UUID, project: UUID, *, person: int) -> tuple[OtherDraft, ...]:
    """Return the drafts of others on a tape that change something, the newest first."""
    found = DraftRecord.objects.filter(
        tape_id=tape_id, tape__project_id=project, applied_count__gt=0
    ).exclude(person_id=person)
    rows = found.order_by("-updated_at").values_list(
        "person__username", "applied_count", "updated_at"
    )
    return tuple(OtherDraft(name, count, moment) for name, count, moment in rows)


def save_draft(
    tape_id: UUID,
    project: UUID,
    *,
    person: int,
    operations: Sequence[dict[str, Any]],
    applied_count: int,
    version: int,
    base_step_count: int | None = None,
) -> DraftRow:
    """Store a draft whole; `version` is what the writer last read, 0 for none.

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
    if version == 0:
        begun = {"base_step_count": tape.step_count, **values}
        with refusing_doubles(_CHANGED):
            DraftRecord.objects.create(tape=tape, person_id=person, version=1, **begun)
    else:
        mine = DraftRecord.objects.filter(tape_id=tape_id, person_id=person, version=version)
        won = mine.update(**values, version=version + 1, updated_at=timezone.now())
        if not won:
            raise ConflictError(_CHANGED)
    return _row(DraftRecord.objects.get(tape_id=tape_id, person_id=person))


def delete_draft(tape_id: UUID, project: UUID, *, person: int) -> None:
    """Throw a person's draft away; there need not be one.

    Raises:
        NotFoundError: no such tape in this project.
    """
    get_tape(tape_id, project)
    DraftRecord.objects.filter(tape_id=tape_id, person_id=person).delete()


def _row(record: DraftRecord) -> DraftRow:
    return row_of(DraftRow, record, operations=tuple(record.operations))
