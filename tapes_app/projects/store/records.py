"""What every store does with its records: finding one, keeping names unique, paging."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Model, Q, QuerySet

from tapes_app.engine.errors import ConflictError, InvalidInputError, NotFoundError
from tapes_app.models.projects import OwnedRecord
from tapes_app.projects.domain.rows import Page

MAX_PAGE = 200

SHORTEST_ID = 6
"""How many digits of an id must be given at least."""

_MOST_IDS = 6
"""More rows than are ever listed."""

_DIGITS = 32
_SEPARATOR = "~"
_NO_PAGE = "This page of the list does not exist; start again without 'after'."

Row = TypeVar("Row")
Record = TypeVar("Record", bound=Model)
Listed = TypeVar("Listed", bound=OwnedRecord)


def get_record(found: QuerySet[Record], message: str, **named: UUID) -> Record:
    """Return the record of an id; `named` passes it under the name used in the error's details.

    Raises:
        NotFoundError: it is not among those in `found`.
    """
    ((name, record_id),) = named.items()
    record = found.filter(pk=record_id).first()
    if record is None:
        raise NotFoundError(message, **{name: str(record_id)})
    return record


@contextmanager
def refusing_duplicates(message: str, **details: Any) -> Iterator[None]:
    """Write something that the database refuses if it already exists, such as a name.

    Raises:
        ConflictError: it was refused; what was written in the block is undone.
    """
    try:
        with transaction.atomic():
            yield
    except IntegrityError as error:
        raise ConflictError(message, **details) from error


def list_newest(
    found: QuerySet[Listed],
    show: Callable[[Listed], Row],
    *,
    after: str | None,
    limit: int,
    most: int = MAX_PAGE,
) -> Page[Row]:
    """Return a page of at most `most` records, newest first; `after`: the previous page's `next`.

    Raises:
        InvalidInputError: `after` is not a cursor.
    """
    limit = max(1, min(limit, most))
    records = list(found.filter(after_cursor(after)).order_by("-created_at", "-id")[: limit + 1])
    rows = tuple(map(show, records[:limit]))
    last = records[limit - 1] if len(records) > limit else None
    return Page(rows, write_cursor(last.created_at, last.id) if last is not None else None)


def write_cursor(created_at: datetime, row_id: UUID) -> str:
    """Return the text that marks where a page of a newest-first list ended."""
    return f"{created_at.isoformat()}{_SEPARATOR}{row_id.hex}"


def after_cursor(cursor: str | None) -> Q:
    """Return the condition for the rows that come after a page, newest first.

    Raises:
        InvalidInputError: the text is not a cursor.
    """
    if not cursor:
        return Q()
    moment, row_id = _read_cursor(cursor)
    # Only the first half can be used with an index.
    return Q(created_at__lte=moment) & (Q(created_at__lt=moment) | Q(id__lt=row_id))


def reaches(cursor: str, moment: datetime) -> bool:
    """Return whether a page ended at a moment or earlier, so that nothing later is left.

    Raises:
        InvalidInputError: the text is not a cursor.
    """
    return _read_cursor(cursor)[0] <= moment


def _read_cursor(cursor: str) -> tuple[datetime, UUID]:
    moment_text, _, id_text = cursor.partition(_SEPARATOR)
    try:
        moment, row_id = datetime.fromisoformat(moment_text), UUID(id_text)
    except ValueError as error:
        raise InvalidInputError(_NO_PAGE) from error
    if moment.tzinfo is None:
        raise InvalidInputError(_NO_PAGE)
    return moment, row_id


def ids_like(records: QuerySet[Any, Any], text: str) -> list[UUID]:
    """Return the ids that start with a text, as people copy it; only some if there are many."""
    digits = text.lower().replace("-", "")
    if not SHORTEST_ID <= len(digits) <= _DIGITS or set(digits) - set("0123456789abcdef"):
        return []
    between = (UUID(digits.ljust(_DIGITS, "0")), UUID(digits.ljust(_DIGITS, "f")))
    found = records.filter(id__range=between).order_by("id").values_list("id", flat=True)
    return list(found[:_MOST_IDS])
