"""Drafts: one person's edits of one tape, with undo, saved while they type.

A person can have several drafts on one tape, its fixes, distinguished by a letter.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, QuerySet, Sum
from django.utils import timezone

from tapes_app.editing.domain.rows import FIRST_FIX, LONGEST_NAME, DraftRow, Fix, OtherDraft
from tapes_app.engine.errors import ConflictError, InvalidInputError
from tapes_app.jobs.domain.protocol import FINAL_STATES
from tapes_app.models import DraftRecord, JobRecord
from tapes_app.projects.domain.columns import fit_line
from tapes_app.projects.domain.rows import Amount, row_of
from tapes_app.projects.store.records import refusing_duplicates
from tapes_app.projects.store.stored_bytes import StoredBytes
from tapes_app.tapes.store.access import get_tape, refuse_archived, require_tape

_CHANGED = "The draft was changed in another window; reload it."
_DRAFTS_AT_ONCE = 500


def load_draft(
    tape_id: UUID, project: UUID, *, person: int, fix: Fix = FIRST_FIX
) -> DraftRow | None:
    """Return one of a person's drafts on a tape, or `None` if it does not exist.

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
    """Return other people's drafts on a tape that change something, the newest first."""
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
    """Store a complete draft; `version` is the last one that the writer read, 0 for none.

    Without a `name` it keeps its current one.

    `base_step_count` is how many steps the writer knows; by default it is unchanged, and for a new
    draft the tape's current number of steps.

    Raises:
        NotFoundError: no such tape in this project.
        ArchivedError: the tape is archived.
        ConflictError: the draft was saved from elsewhere in the meantime.
        InvalidInputError: `applied_count` exceeds the number of operations.
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
        new_draft = {"base_step_count": tape.step_count, **values}
        with refusing_duplicates(_CHANGED):
            DraftRecord.objects.create(
                tape=tape, person_id=person, letter=fix, version=1, **new_draft
            )
    else:
        mine = _drafts(tape_id, person).filter(letter=fix, version=version)
        won = mine.update(**values, version=version + 1, updated_at=timezone.now())
        if not won:
            raise ConflictError(_CHANGED)
    return _row(_drafts(tape_id, person).get(letter=fix))


def delete_draft(tape_id: UUID, project: UUID, *, person: int, fix: Fix = FIRST_FIX) -> None:
    """Delete one of a person's drafts, if it exists.

    Raises:
        NotFoundError: no such tape in this project.
    """
    require_tape(tape_id, project)
    _drafts(tape_id, person).filter(letter=fix).delete()


def measure_old_drafts(before: datetime) -> Amount:
    """Return the number and size of drafts last changed before the given time."""
    found = _old(before).aggregate(count=Count("id"), size=Sum(StoredBytes("operations")))
    return Amount(found["count"], found["size"] or 0)


def prune_some_old_drafts(before: datetime) -> int | None:
    """Remove a batch of them, not their tapes; return how many, `None` if none are left.

    The condition is checked again on removal: a draft that is changed meanwhile stays.
    """
    some = list(_old(before).values_list("id", flat=True)[:_DRAFTS_AT_ONCE])
    return _old(before).filter(id__in=some).delete()[0] if some else None


def _old(before: datetime) -> QuerySet[DraftRecord]:
    """Return old drafts of tapes without a job that is active, waiting or paused."""
    at_work = JobRecord.objects.filter(tape=OuterRef("tape")).exclude(state__in=FINAL_STATES)
    return DraftRecord.objects.filter(~Exists(at_work), updated_at__lt=before)


def _drafts(tape_id: UUID, person: int) -> QuerySet[DraftRecord]:
    return DraftRecord.objects.filter(tape_id=tape_id, person_id=person)


def _row(record: DraftRecord) -> DraftRow:
    return row_of(DraftRow, record, fix=record.letter, operations=tuple(record.operations))
