"""Batches: tapes that came or ran together."""

from uuid import UUID

from django.db.models import QuerySet

from tapes_app.engine.errors import ConflictError, NotFoundError
from tapes_app.models import BatchRecord, TapeRecord
from tapes_app.projects.columns import check_text, fit_text
from tapes_app.projects.rows import Page
from tapes_app.projects.store.cursors import after_cursor, write_cursor
from tapes_app.tapes.rows import BatchRow

NAME_LENGTH = 300
MAX_PAGE = 200


def ensure_batch(project: UUID, name: str, *, owner: int | None = None) -> BatchRow:
    """Return the batch of a name; it is made when the project has none."""
    record, _ = BatchRecord.objects.get_or_create(
        project_id=project,
        name=check_text(name, NAME_LENGTH, "The batch's name"),
        defaults={"owner_id": owner},
    )
    return _row(record)


def load_batch(batch_id: UUID, project: UUID) -> BatchRow:
    """Return one batch.

    Raises:
        NotFoundError: no such batch in this project.
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
    limit = max(1, min(limit, MAX_PAGE))
    found = list(
        _of(project).filter(after_cursor(after)).order_by("-created_at", "-id")[: limit + 1]
    )
    page = tuple(_row(record) for record in found[:limit])
    is_last = len(found) <= limit
    return Page(page, None if is_last else write_cursor(page[-1].created_at, page[-1].id))


def list_tape_ids(batch_id: UUID, project: UUID) -> list[UUID]:
    """Return the tapes of a batch in the order in which they came.

    Raises:
        NotFoundError: no such batch in this project.
    """
    batch = _get(batch_id, project)
    tapes = TapeRecord.objects.filter(batch=batch, deleted_at__isnull=True)
    return list(tapes.order_by("created_at", "id").values_list("id", flat=True))


def delete_batch(batch_id: UUID, project: UUID) -> None:
    """Remove an empty batch.

    Raises:
        NotFoundError: no such batch in this project.
        ConflictError: it has tapes, LLM calls or jobs.
    """
    batch = _get(batch_id, project)
    if batch.tapes.exists() or batch.llm_calls.exists() or batch.jobs.exists():
        raise ConflictError(
            f"Batch {batch.name!r} is not empty; only an empty batch can be deleted.",
            tape_count=batch.tape_count,
        )
    batch.delete()


def _of(project: UUID) -> QuerySet[BatchRecord, BatchRecord]:
    return BatchRecord.objects.filter(project_id=project)


def _get(batch_id: UUID, project: UUID) -> BatchRecord:
    record = _of(project).filter(id=batch_id).first()
    if record is None:
        raise NotFoundError("Batch not found.", batch_id=str(batch_id))
    return record


def _row(record: BatchRecord) -> BatchRow:
    return BatchRow(
        id=record.id,
        name=record.name,
        tape_count=record.tape_count,
        error_count=record.error_count,
        created_at=record.created_at,
    )
