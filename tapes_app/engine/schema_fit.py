"""Whether arguments fit the JSON schema of their tool."""

from collections.abc import Mapping
from typing import Any

from tapes_app.engine.json_pointer import write_pointer

_TYPES = frozenset({"object", "array", "string", "boolean", "number", "integer", "null"})
_BOUNDS = frozenset(
    {"maximum", "minimum", "exclusiveMaximum", "exclusiveMinimum", "maxLength", "minLength",
     "maxItems", "minItems"}
)  # fmt: skip
_LONGEST_REASON = 200


def find_misfit(schema: Any, value: Any) -> tuple[str, str] | None:
    """Return where a value does not fit, as a JSON pointer, and why; `None` if it fits."""
    # Imported here because it takes 60 ms, and most processes check no arguments.
    from jsonschema import Draft202012Validator

    try:
        errors = Draft202012Validator(_keep_what_is_bounded(schema)).iter_errors(value)
        error = next(iter(errors), None)
    except RecursionError:
        return None
    if error is None:
        return None
    place = write_pointer(error.absolute_path)
    reason = error.message
    if len(reason) > _LONGEST_REASON:
        reason = f"{reason[:_LONGEST_REASON]}…"
    return place, f"{reason} (at {place})" if place else reason


def _keep_what_is_bounded(schema: Any) -> Any:
    """Return a schema that is quick to check, because a tape may contain anything as a schema.

    References may multiply and patterns may take forever, so they are removed, and so is everything
    that is not a valid schema: a linter must not cry wolf.
    """
    if not isinstance(schema, Mapping):
        return schema is not False
    kept: dict[str, Any] = {}
    for name, value in schema.items():
        match name, value:
            case "type", str() | list():
                types = [value] if isinstance(value, str) else value
                if all(isinstance(item, str) and item in _TYPES for item in types):
                    kept[name] = types
            case "enum", [_, *_]:
                kept[name] = value
            case "const", _:
                kept[name] = value
            case "required", list():
                kept[name] = [item for item in value if isinstance(item, str)]
            case "properties", Mapping():
                kept[name] = {key: _keep_what_is_bounded(item) for key, item in value.items()}
            case "items", Mapping() | bool():
                kept[name] = _keep_what_is_bounded(value)
            case "additionalProperties", Mapping() | bool() if "patternProperties" not in schema:
                kept[name] = _keep_what_is_bounded(value)
            case "anyOf" | "allOf" | "prefixItems", [_, *_]:  # oneOf would count the removed
                kept[name] = [_keep_what_is_bounded(item) for item in value]
            case _, int() | float() if name in _BOUNDS and not isinstance(value, bool):
                kept[name] = value
    return kept
