"""Models and values as JSON, even if their text is not valid Unicode."""

import json
from typing import Any

from pydantic import BaseModel


def dump_json_data(model: BaseModel, **options: Any) -> dict[str, Any]:
    """Return a model's data as JSON values; `options` as for `model_dump`.

    A lone surrogate is legal in a JSON file, but pydantic refuses to write it.
    """
    try:
        return model.model_dump(mode="json", **options)
    except UnicodeEncodeError:
        return {key: _plain(value) for key, value in model.model_dump(**options).items()}


def dump_json_text(value: Any, **options: Any) -> str:
    """Return a value as JSON text; `options` as for `json.dumps`.

    Lone surrogates can only be written as escapes: then the entire text is ASCII.
    """
    text = json.dumps(value, ensure_ascii=False, **options)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, **options)
    return text


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(item) for item in value]
    if value is None or isinstance(value, str | int | float | bool):
        return value
    return value.isoformat() if hasattr(value, "isoformat") else str(value)
