"""A column that holds any JSON value exactly as Python passed it.

The databases' own JSON types lose what real tapes contain: `jsonb` refuses NUL characters, sorts
keys and turns `1e100` into an integer; none accepts lone surrogates, NaN or Infinity. Nothing is
ever looked up inside these values, so text works better.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django.db import models
from pydantic_core import from_json

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.models.expressions import Expression

# No JSON text starts with it, so it can mark text that is not plain UTF-8.
_WRAPPED = "~"
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class JsonTextField(models.TextField):  # type: ignore[type-arg]  # takes none when it runs
    """JSON as text; SQL NULL is `None`."""

    if TYPE_CHECKING:
        # django-stubs reads a field's Python types from these.
        _pyi_private_set_type: Any
        _pyi_private_get_type: Any
        _pyi_lookup_exact_type: Any

    def from_db_value(
        self, value: str | None, expression: Expression, connection: BaseDatabaseWrapper
    ) -> Any:
        del expression, connection
        return None if value is None else load_json_text(value)

    def get_prep_value(self, value: Any) -> str | None:
        return None if value is None else dump_json_text(value)

    def to_python(self, value: Any) -> Any:
        return value

    def value_to_string(self, obj: models.Model) -> str:
        return dump_json_text(self.value_from_object(obj))


def dump_json_text(value: Any) -> str:
    """Return JSON text that any UTF-8 column can hold; `load_json_text` restores the value."""
    text = _encode(value)
    try:
        text.encode()
    except UnicodeEncodeError:
        # Escapes would not work: two escaped surrogates in a row are read back as one character.
        return _WRAPPED + text.encode("utf-8", "surrogatepass").decode("latin-1")
    return text


def load_json_beginning(text: str) -> Any:
    """Return what can be read from the beginning of such a text; `None` if nothing can.

    Lone surrogates are dropped: the result is for people to read.
    """
    if text.startswith(_WRAPPED):
        text = text[1:].encode("latin-1").decode("utf-8", "ignore")
    try:
        return from_json(text, allow_partial="trailing-strings")
    except ValueError:
        return None


def load_json_text(text: str) -> Any:
    """Return the value that `dump_json_text` wrote."""
    if text.startswith(_WRAPPED):
        text = text[1:].encode("latin-1").decode("utf-8", "surrogatepass")
    return json.loads(text)
