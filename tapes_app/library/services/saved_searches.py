"""Lenses as searches: which tapes are those of a lens."""

from typing import Any
from urllib.parse import parse_qs
from uuid import UUID

from tapes_app.engine.errors import InvalidInputError
from tapes_app.library.services.queries import read_filter
from tapes_app.library.store.plans import TapeFilter


def filter_of(look: dict[str, Any]) -> TapeFilter:
    """Return what picks the tapes of a lens, whose conditions are those of an address.

    Raises:
        InvalidInputError: they cannot be read, as those of `GET /tapes`.
    """
    asked = {name: values[-1] for name, values in parse_qs(look.get("query", "")).items()}
    return read_filter(
        q=asked.get("q", ""),
        search=asked.get("search", ""),
        agent=asked.get("agent", ""),
        batch=_read_batch(asked.get("batch", "")),
        has_error=True if asked.get("error") == "1" else None,
        lint=asked.get("lint", ""),
        pinned=True if asked.get("show") == "pinned" else None,
        archived=asked.get("show") == "archived",
    )


def _read_batch(text: str) -> UUID | None:
    try:
        return UUID(text) if text else None
    except ValueError as error:
        raise InvalidInputError("The saved search has no batch; save it again.") from error
