"""Models as JSON data, also where their text is not Unicode."""

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


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(item) for item in value]
    if value is None or isinstance(value, str | int | float | bool):
        return value
    return value.isoformat() if hasattr(value, "isoformat") else str(value)
