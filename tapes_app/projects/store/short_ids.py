"""Rows by the beginning of their ids, as people copy them."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet

SHORTEST = 6
"""So many digits must be given."""

_MOST = 6
"""More rows than are ever told."""

_DIGITS = 32


def ids_like(records: QuerySet[Any, Any], text: str) -> list[UUID]:
    """Return the ids that begin with a text, some of them where they are many."""
    digits = text.lower().replace("-", "")
    if not SHORTEST <= len(digits) <= _DIGITS or set(digits) - set("0123456789abcdef"):
        return []
    between = (UUID(digits.ljust(_DIGITS, "0")), UUID(digits.ljust(_DIGITS, "f")))
    found = records.filter(id__range=between).order_by("id").values_list("id", flat=True)
    return list(found[:_MOST])
