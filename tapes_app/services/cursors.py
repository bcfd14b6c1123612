"""Cursors of lists that are newest first: opaque text that says where a page ended."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from tapes_app.engine.errors import InvalidInputError

_SEPARATOR = "~"


def write_cursor(made_at: datetime, row_id: UUID) -> str:
    return f"{made_at.isoformat()}{_SEPARATOR}{row_id.hex}"


def read_cursor(text: str) -> tuple[datetime, UUID] | None:
    """Return the place in the list; `None` for the beginning.

    Raises:
        InvalidInputError: the text is no cursor.
    """
    if not text:
        return None
    made_at, _, row_id = text.partition(_SEPARATOR)
    try:
        moment = datetime.fromisoformat(made_at)
        key = UUID(row_id)
    except ValueError:
        moment, key = None, None
    if moment is None or key is None or moment.tzinfo is None:
        raise InvalidInputError("This list has no such page; begin again without 'after'.")
    return moment, key
