"""Models and values as JSON, also where their text is no Unicode."""

import json
from typing import Any

from pydantic import BaseModel


def dump_json_data(model: BaseModel, **options: Any) -> dict[str, Any]:
    """Return a model's data as JSON values; `options` as for `model_dump`.

    Half a surrogate pair is legal in a JSON file, and pydantic refuses to write it.
    """
    try:
        return model.model_dump(mode="json", **options)
    except UnicodeEncodeError:
        return {key: _plain(value) for key, value in model.model_dump(**options).items()}


def dump_json_text(value: Any, **options: Any) -> str:
    """Return a value as JSON text; `options` as for `json.dumps`.

    Halves of surrogate pairs only pass as escapes: then all of it is in ASCII.
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
