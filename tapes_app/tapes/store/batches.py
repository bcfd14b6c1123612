"""Batches: tapes that were imported or ran together."""

from uuid import UUID

from django.db.models import QuerySet

from tapes_app.models import BatchRecord, TapeRecord
from tapes_app.projects.domain.columns import check_text, fit_text
from tapes_app.projects.domain.rows import Page, row_of
from tapes_app.projects.store.records import get_record, list_newest
from tapes_app.tapes.domain.rows import BatchRow

NAME_LENGTH = 300


def ensure_batch(project: UUID, name: str, *, owner: int | None = None) -> BatchRow:
    """Return the batch of a name; it is created if the project has none."""
    record, _ = BatchRecord.objects.get_or_create(
        project_id=project,
        name=check_text(name, NAME_LENGTH, "The batch's name"),
        defaults={"owner_id": owner},
    )
    return _row(record)


def load_batch(batch_id: UUID, project: UUID) -> BatchRow:
    """Return one batch.

    Raises:
        NotFoundError: there is no such batch in this project.
    """
    return _row(_get(batch_id, project))


def find_batch(name: str, project: UUID) -> BatchRow | None:
    """Return the batch of a name, if the project has one."""
    record = _of(project).filter(name=fit_text(name, NAME_LENGTH)).first()
    return _row(record) if record is not None else None


def list_batches(project: UUID, *, after: str | None = None, limit: int = 50) -> Page[BatchRow]:
    """Return a page of batches, newest first.

    Raises:
        InvalidInputError: `after` is not a cursor.
    """
    return list_newest(_of(project), _row, after=after, limit=limit)


def list_names(project: UUID, beginning: str) -> list[str]:
    """Return the names of batches that start with `beginning`."""
    rows = _of(project).filter(name__startswith=beginning)
    return list(rows.values_list("name", flat=True))


def list_tape_ids(batch_id: UUID, project: UUID) -> list[UUID]:
    """Return the tapes of a batch in the order in which they arrived.

    Raises:
        NotFoundError: there is no such batch in this project.
    """
    batch = _get(batch_id, project)
    tapes = TapeRecord.objects.filter(batch=batch, deleted_at__isnull=True)
    return list(tapes.order_by("created_at", "id").values_list("id", flat=True))


def _of(project: UUID) -> QuerySet[BatchRecord, BatchRecord]:
    return BatchRecord.objects.filter(project_id=project)


def _get(batch_id: UUID, project: UUID) -> BatchRecord:
    return get_record(_of(project), "Batch not found.", batch_id=batch_id)


def _row(record: BatchRecord) -> BatchRow:
    return row_of(BatchRow, record)
