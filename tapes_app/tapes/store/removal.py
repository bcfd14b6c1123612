"""Soft deletes: a tape leaves the lists and can be restored; nothing recorded is destroyed."""

from uuid import UUID

from django.db import transaction
from django.utils import timezone

from tapes_app.engine.errors import ConflictError
from tapes_app.jobs.domain.protocol import LIVE_STATES
from tapes_app.models import JobRecord, TapeRecord
from tapes_app.projects.domain.wording import count_of
from tapes_app.projects.store.records import get_record
from tapes_app.tapes.store.access import get_tape
from tapes_app.tapes.store.saving import count_in_batch


@transaction.atomic
def delete_tape(tape_id: UUID, project: UUID) -> None:
    """Remove a tape from the lists.

    Raises:
        NotFoundError: there is no such tape in this project.
        ConflictError: another tape shares its steps, or a job works on it.
    """
    tape = get_tape(tape_id, project, for_update=True)
    children = TapeRecord.objects.filter(parent=tape, deleted_at__isnull=True).count()
    if children:
        raise ConflictError(
            f"{count_of(children, 'tape')} branched off this one and share its steps; "
            "delete them first.",
            child_count=children,
        )
    jobs = JobRecord.objects.filter(tape=tape, state__in=LIVE_STATES).count()
    if jobs:
        raise ConflictError(
            f"This tape still has {count_of(jobs, 'active job')}; cancel first.",
            job_count=jobs,
        )
    TapeRecord.objects.filter(id=tape.id).update(deleted_at=timezone.now())
    count_in_batch(tape.batch_id, [tape], change=-1)


@transaction.atomic
def restore_tape(tape_id: UUID, project: UUID) -> None:
    """Restore a deleted tape.

    Raises:
        NotFoundError: there is no such deleted tape in this project.
        ConflictError: its parent is deleted, and it shows the parent's steps.
    """
    deleted = TapeRecord.objects.filter(project_id=project, deleted_at__isnull=False)
    missing = "Deleted tape not found."
    tape = get_record(deleted.select_for_update(), missing, tape_id=tape_id)
    if tape.parent_id and deleted.filter(id=tape.parent_id).exists():
        raise ConflictError(
            "The tape that this one was forked from is deleted; restore it first.",
            parent_id=str(tape.parent_id),
        )
    TapeRecord.objects.filter(id=tape.id).update(deleted_at=None)
    count_in_batch(tape.batch_id, [tape])
