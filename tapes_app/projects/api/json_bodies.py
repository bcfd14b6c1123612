"""JSON in and out: endlessly nested bodies are refused, answers are what browsers read."""

import json
import math
from typing import Any

from django.http import HttpRequest
from ninja.errors import HttpError
from ninja.parser import Parser
from ninja.renderers import JSONRenderer
from pydantic_core import to_json

MAX_DEPTH = 110
"""An imported tape may be 100 deep; a request puts it into an operation of a list."""


class BoundedParser(Parser):
    """Reads a JSON body and refuses one whose depth would break whatever walks it."""

    def parse_body(self, request: HttpRequest) -> Any:
        try:
            body = json.loads(request.body)
        except (ValueError, RecursionError):
            raise HttpError(400, "The request body is not valid JSON.") from None
        if is_deeper(body, MAX_DEPTH):
            raise HttpError(400, f"The request body is nested deeper than {MAX_DEPTH} levels.")
        return body


class PlainRenderer(JSONRenderer):
    """Writes JSON that any browser reads: tapes may hold NaN and Infinity, JSON has neither."""

    def render(self, request: HttpRequest, data: Any, *, response_status: int) -> str | bytes:
        try:
            return to_json(data, inf_nan_mode="strings")
        except (ValueError, RecursionError):
            # Half of a surrogate pair is not an UTF-8, but it may be in JSON.
            return json.dumps(_without_nan(data), cls=self.encoder_class)


def is_deeper(value: Any, limit: int) -> bool:
    """Tell whether lists and objects are nested deeper than `limit`, without recursion."""
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
