"""JSON in and out: rejects excessively nested bodies, and writes JSON that browsers can read."""

import json
import math
from typing import Any

from django.http import HttpRequest
from ninja.errors import HttpError
from ninja.parser import Parser
from ninja.renderers import JSONRenderer
from pydantic_core import to_json

MAX_DEPTH = 110
"""An imported tape may be 100 levels deep; a request puts it into an operation of a list."""

MAX_NAMES = 100_000
"""Fields of all objects of a body: each field in excess would be a separate error to report."""


class BoundedParser(Parser):
    """Parses a JSON body; rejects one that is too deep or has too many fields for any use."""

    def parse_body(self, request: HttpRequest) -> Any:
        try:
            body = _read_json(request.body)
        except (ValueError, RecursionError):
            raise HttpError(400, "The request body is not valid JSON.") from None
        if is_deeper(body, MAX_DEPTH):
            raise HttpError(400, f"The request body is nested deeper than {MAX_DEPTH} levels.")
        return body


class PlainRenderer(JSONRenderer):
    """Writes JSON that any browser reads: tapes may contain NaN and Infinity, JSON does not."""

    def render(self, request: HttpRequest, data: Any, *, response_status: int) -> str | bytes:
        try:
            return to_json(data, inf_nan_mode="strings")
        except (ValueError, RecursionError):
            # A lone surrogate is not valid UTF-8, but it may be in JSON.
            return json.dumps(_without_nan(data), cls=self.encoder_class)


def _read_json(text: bytes) -> Any:
    """Parse JSON; parsing stops at the first name in excess of the limit.

    Raises:
        HttpError: it has too many.
    """
    if text.count(b":") <= MAX_NAMES:  # the quick check: every name is followed by a colon
        return json.loads(text)
    left = MAX_NAMES

    def count(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal left
        left -= len(pairs)
        if left < 0:
            raise HttpError(
                413,
                f"The request body has more than {MAX_NAMES:,} fields; send less at once, or "
                "import a file.",
            )
        return dict(pairs)

    return json.loads(text, object_pairs_hook=count)


def is_deeper(value: Any, limit: int) -> bool:
    """Return whether lists and objects are nested deeper than `limit`, without recursion."""
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(limit):
        level = [
            item
            for parent in level
            for item in (parent.values() if isinstance(parent, dict) else parent)
            if isinstance(item, dict | list)
        ]
        if not level:
            return False
    return True


def _without_nan(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return json.dumps(value)
    if isinstance(value, dict):
        return {key: _without_nan(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nan(item) for item in value]
    return value
