"""Batches that a bulk action creates: adding children to them, and undoing all of that."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone

from tapes_app.engine.errors import ConflictError, InvalidInputError
from tapes_app.engine.tape.tape import Tape
from tapes_app.jobs.domain.protocol import LIVE_STATES
from tapes_app.models import BatchRecord, JobRecord, TapeRecord
from tapes_app.projects.domain.columns import check_text
from tapes_app.tapes.store.batches import NAME_LENGTH, find_batch
from tapes_app.tapes.store.edits import save_spliced

_PAGE = 500


@dataclass(frozen=True, slots=True)
class MadeChild:
    """A child to store: the result of an edit of `parent_id` (see `save_spliced`)."""

    parent_id: UUID
    tape: Tape
    sources: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Discarded:
    """How many tapes were removed from the lists, and how many stay because they are in use."""

    tape_count: int
    kept_count: int


def check_new_name(project: UUID, name: str) -> str:
    """Return a valid name for a new batch.

    Raises:
        InvalidInputError: the name is empty or too long.
        ConflictError: a batch of the project already has it.
    """
    clean = check_text(name.strip(), NAME_LENGTH, "The batch's name")
    if not clean:
        raise InvalidInputError("Name the new batch.")
    if find_batch(clean, project) is not None:
        raise ConflictError(f"A batch {clean!r} already exists; choose another name.")
    return clean


def ensure_made_batch(batch_id: UUID, project: UUID, name: str, *, owner: int | None) -> None:
    """Create the batch with the given id, unless an earlier attempt has created it.

    Raises:
        ConflictError: another batch has the name.
    """
    try:
        with transaction.atomic():
            BatchRecord.objects.get_or_create(
                id=batch_id, project_id=project, defaults={"name": name, "owner_id": owner}
            )
    except IntegrityError as error:
        raise ConflictError(f"A batch {name!r} already exists; choose another name.") from error


def list_parents(batch_id: UUID, project: UUID) -> dict[UUID, UUID]:
    """Return the children in a batch, each with the tape that it was made from."""
    rows = TapeRecord.objects.filter(project_id=project, batch_id=batch_id)
    return dict(rows.exclude(parent=None).values_list("id", "parent_id"))


def save_child(child: MadeChild, project: UUID, *, batch_id: UUID, owner: int | None) -> UUID:
    """Store a child in a batch; it counts as an attempt at the task of its parent.

    Raises:
        NotFoundError: the parent is no longer in this project.
        ArchivedError: the parent is archived.
    """
    child_id = save_spliced(
        child.parent_id,
        child.tape,
        project=project,
        sources=child.sources,
        owner=owner,
        edited_by=owner,
    )
    parent = TapeRecord.objects.only("task", "expected").get(id=child.parent_id)
    TapeRecord.objects.filter(id=child_id).update(
        batch_id=batch_id, task=parent.task, expected=parent.expected
    )
    has_error = TapeRecord.objects.filter(id=child_id, has_error=True).exists()
    BatchRecord.objects.filter(id=batch_id).update(
        tape_count=F("tape_count") + 1, error_count=F("error_count") + int(has_error)
    )
    return child_id


@transaction.atomic
def discard_batch(batch_id: UUID, project: UUID) -> Discarded:
    """Remove the tapes of a batch from the lists, and delete the batch when it is empty.

    Tapes that have children or that a job works on stay, and so does their batch.
    """
    tapes = TapeRecord.objects.filter(
        project_id=project, batch_id=batch_id, deleted_at__isnull=True
    )
    parents = TapeRecord.objects.filter(parent__batch_id=batch_id, deleted_at__isnull=True)
    working = JobRecord.objects.filter(tape__batch_id=batch_id, state__in=LIVE_STATES)
    used = {
        *parents.values_list("parent_id", flat=True),
        *working.values_list("tape_id", flat=True),
    }
    ids = list(tapes.values_list("id", flat=True))
    discarded = [tape_id for tape_id in ids if tape_id not in used]
    _delete(discarded)
    _settle(batch_id, project)
    return Discarded(len(discarded), len(ids) - len(discarded))


def _delete(ids: Sequence[UUID]) -> None:
    for start in range(0, len(ids), _PAGE):
        page = TapeRecord.objects.filter(id__in=ids[start : start + _PAGE])
        page.update(deleted_at=timezone.now(), batch_id=None)


def _settle(batch_id: UUID, project: UUID) -> None:
    batch = BatchRecord.objects.filter(id=batch_id, project_id=project).first()
    if batch is None:
        return
    if not (batch.tapes.exists() or batch.jobs.exists() or batch.llm_calls.exists()):
        batch.experiments.update(batch=None)
        batch.delete()
        return
    left = batch.tapes.filter(deleted_at__isnull=True)
    batch.tape_count, batch.error_count = left.count(), left.filter(has_error=True).count()
    batch.save(update_fields=["tape_count", "error_count"])
