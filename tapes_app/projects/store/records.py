"""What every store does with its records: finds one, keeps names apart, gives a page."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Model, QuerySet

from tapes_app.engine.errors import ConflictError, NotFoundError
from tapes_app.models.projects import OwnedRecord
from tapes_app.projects.rows import Page
from tapes_app.projects.store.cursors import after_cursor, write_cursor

MAX_PAGE = 200

Row = TypeVar("Row")
Record = TypeVar("Record", bound=Model)
Listed = TypeVar("Listed", bound=OwnedRecord)


def get_record(found: QuerySet[Record], message: str, **named: UUID) -> Record:
    """Return the record of an id; `named` has it under the name that the error tells it by.

    Raises:
        NotFoundError: it is not among those found.
    """
    ((name, record_id),) = named.items()
    record = found.filter(pk=record_id).first()
    if record is None:
        raise NotFoundError(message, **{name: str(record_id)})
    return record


@contextmanager
def refusing_doubles(message: str, **details: Any) -> Iterator[None]:
    """Write something that the database refuses where it is there already, such as a name.

    Raises:
        ConflictError: it was refused; what was written meanwhile is undone.
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
    """Return a page of `most` records at most, newest first; `after`: `next` of the one before.

    Raises:
        InvalidInputError: `after` is not a cursor.
    """
    limit = max(1, min(limit, most))
    records = list(found.filter(after_cursor(after)).order_by("-created_at", "-id")[: limit + 1])
    rows = tuple(map(show, records[:limit]))
    last = records[limit - 1] if len(records) > limit else None
    return Page(rows, write_cursor(last.created_at, last.id) if last is not None else None)
