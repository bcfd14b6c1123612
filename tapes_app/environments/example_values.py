"""A value that fits a JSON schema, for whoever has to answer without knowing more."""

from collections.abc import Mapping
from typing import Any, Final

from tapes_app.engine.schema_fit import find_misfit

NO_EXAMPLE: Final = object()
"""No value can be made."""

_DEEPEST = 12
_MOST_ITEMS = 20
_LONGEST_TEXT = 1_000
_PLAIN: Mapping[str, Any] = {
    "string": "example",
    "integer": 1,
    "number": 1.0,
    "boolean": True,
    "null": None,
}


def make_example(schema: Any) -> Any:
    """Return a value that fits a schema, always the same one; `NO_EXAMPLE` where that fails.

    What the schema gives comes first: a constant, a default, an example, a choice.
    """
    root = schema if isinstance(schema, Mapping) else {}
    made = _make(root, root, 0)
    return NO_EXAMPLE if made is NO_EXAMPLE or find_misfit(schema, made) else made


def _make(schema: Any, root: Mapping[str, Any], depth: int) -> Any:
    if not isinstance(schema, Mapping) or not schema or depth > _DEEPEST:
        return NO_EXAMPLE
    match schema:
        case {"const": value} | {"default": value}:
            return value
        case {"examples": [value, *_]} | {"enum": [value, *_]}:
            return value
        case {"$ref": str(place)}:
            return _make(_look_up(place, root), root, depth + 1)
        case {"anyOf": [*choices]} | {"oneOf": [*choices]} | {"allOf": [*choices]}:
            made = (_make(choice, root, depth + 1) for choice in choices)
            return next((value for value in made if value is not NO_EXAMPLE), NO_EXAMPLE)
        case _:
            return _make_by_type(schema, root, depth)


def _make_by_type(schema: Mapping[str, Any], root: Mapping[str, Any], depth: int) -> Any:
    types = schema.get("type")
    wanted = types[0] if isinstance(types, list) and types else types
    if wanted is None and "properties" in schema:
        wanted = "object"
    if not isinstance(wanted, str):
        return NO_EXAMPLE
    if wanted == "object":
        return _make_object(schema, root, depth)
    if wanted == "array":
        return _make_array(schema, root, depth)
    return NO_EXAMPLE if wanted not in _PLAIN else _within(schema, _PLAIN[wanted])


def _look_up(place: str, root: Mapping[str, Any]) -> Any:
    defs = root.get("$defs")
    name = place.removeprefix("#/$defs/")
    return defs.get(name) if isinstance(defs, Mapping) else None


def _make_object(schema: Mapping[str, Any], root: Mapping[str, Any], depth: int) -> Any:
    fields = schema.get("properties")
    made = {
        str(name): _make(field, root, depth + 1)
        for name, field in (fields.items() if isinstance(fields, Mapping) else ())
    }
    return {name: value for name, value in made.items() if value is not NO_EXAMPLE}


def _make_array(schema: Mapping[str, Any], root: Mapping[str, Any], depth: int) -> Any:
    item = _make(schema.get("items"), root, depth + 1)
    least = schema.get("minItems")
    count = least if isinstance(least, int) and 1 <= least <= _MOST_ITEMS else 1
    return [] if item is NO_EXAMPLE else [item] * count


def _within(schema: Mapping[str, Any], usual: Any) -> Any:
    """Return a plain value inside the bounds of its schema that are easy to keep."""
    if isinstance(usual, str):
        least = schema.get("minLength")
        return (
            usual.ljust(least, "x")
            if isinstance(least, int) and 0 < least < _LONGEST_TEXT
            else usual
        )
    if isinstance(usual, bool) or usual is None:
        return usual
    least, most = schema.get("minimum"), schema.get("maximum")
    if isinstance(least, int | float) and usual < least:
        return least
    return most if isinstance(most, int | float) and usual > most else usual
