"""Cursors of lists that are newest first: text that says where a page ended."""

from datetime import datetime
from uuid import UUID

from django.db.models import Q

from tapes_app.engine.errors import InvalidInputError

_SEPARATOR = "~"


def write_cursor(created_at: datetime, row_id: UUID) -> str:
    return f"{created_at.isoformat()}{_SEPARATOR}{row_id.hex}"


def after_cursor(cursor: str | None) -> Q:
    """Return the condition for the rows that come after a page, newest first.

    Raises:
        InvalidInputError: the text is not a cursor.
    """
    if not cursor:
        return Q()
    moment, row_id = _read_cursor(cursor)
    # The first half alone is what an index can start from.
    return Q(created_at__lte=moment) & (Q(created_at__lt=moment) | Q(id__lt=row_id))


def reaches(cursor: str, moment: datetime) -> bool:
    """Tell whether a page ended at a moment or earlier, so that nothing later is left.

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


_NO_PAGE = "This page of the list does not exist; start again without 'after'."
