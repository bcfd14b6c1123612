"""What people set on a tape as a whole: its name, that it is pinned, that it is archived."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from tapes_app.engine.errors import ConflictError
from tapes_app.engine.tape.tape import Split
from tapes_app.jobs.domain.protocol import LIVE_STATES
from tapes_app.models import JobRecord, TapeRecord
from tapes_app.projects.domain.columns import fit_line
from tapes_app.tapes.domain.step_facts import TITLE_LENGTH
from tapes_app.tapes.store.access import get_tape, refuse_archived
from tapes_app.tapes.store.outcomes import keep_outcome_before


@transaction.atomic
def mark_tape(
    tape_id: UUID,
    project: UUID,
    *,
    title: str | None = None,
    is_pinned: bool | None = None,
    is_archived: bool | None = None,
    is_kept_from_training: bool | None = None,
    split: Split | None = None,
    verdict: Mapping[str, Any] | None = None,
) -> None:
    """Rename, pin or archive a tape, or set what it may train; `None` leaves things unchanged.

    `verdict` holds what to record about its task, as `read_verdict` returns it.

    Archiving takes precedence over renaming in one call: a tape is restored before it is renamed.

    Raises:
        NotFoundError: there is no such tape in this project.
        ArchivedError: it is archived, stays so, and should get another name.
        ConflictError: it should be archived while a job works on it.
    """
    tape = get_tape(tape_id, project, for_update=True)
    changes: dict[str, Any] = {}
    if is_pinned is not None:
        tape.pinned_at = changes["pinned_at"] = _since(tape.pinned_at, is_on=is_pinned)
    if is_archived is not None:
        if is_archived:
            _refuse_working(tape)
        tape.archived_at = changes["archived_at"] = _since(tape.archived_at, is_on=is_archived)
    if is_kept_from_training is not None:
        changes["is_kept_from_training"] = is_kept_from_training
    if split is not None:
        changes["split"] = split
    changes.update(verdict or {})
    if "outcome" in changes:
        keep_outcome_before([tape.id], changes["outcome"])
    if title is not None:
        refuse_archived(tape)
        changes["title"] = fit_line(title, TITLE_LENGTH)
    if changes:
        TapeRecord.objects.filter(id=tape.id).update(**changes, updated_at=timezone.now())


def _since(before: datetime | None, *, is_on: bool) -> datetime | None:
    """Return since when a mark is on; setting it again does not make it later."""
    return (before or timezone.now()) if is_on else None


def _refuse_working(tape: TapeRecord) -> None:
    if JobRecord.objects.filter(tape=tape, state__in=LIVE_STATES).exists():
        raise ConflictError(
            "A run of this tape has not finished; stop it, then archive the tape.",
            tape_id=str(tape.id),
        )
