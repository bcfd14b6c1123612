"""Whether a value fits a JSON schema, for the part of JSON Schema that tools use.

Keywords that are not understood are taken to fit: a linter must not cry wolf.
"""

from typing import Any

from tapes_app.engine.json_pointer import write_pointer

_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list, tuple),
    "string": (str,),
    "boolean": (bool,),
    "number": (int, float),
    "integer": (int, float),
    "null": (type(None),),
}
_DEEPEST = 20


def find_misfit(schema: Any, value: Any, *, pointer: str = "") -> tuple[str, str] | None:
    """Return where a value does not fit and why, as a clause; `None` when it fits."""
    if not isinstance(schema, dict) or pointer.count("/") > _DEEPEST:
        return None
    wanted = schema.get("type")
    types = [wanted] if isinstance(wanted, str) else wanted if isinstance(wanted, list) else []
    known = [name for name in types if name in _TYPES]
    if known and len(known) == len(types) and not any(_is_type(value, name) for name in known):
        return pointer, f"{_called(pointer)} must be {' or '.join(known)}"
    allowed = schema.get("enum")
    if isinstance(allowed, list) and allowed and value not in allowed:
        shown = ", ".join(repr(item) for item in allowed[:5])
        return pointer, f"{_called(pointer)} must be one of {shown}"
    if isinstance(value, dict):
        return _misfit_of_object(schema, value, pointer)
    if isinstance(value, list):
        for index, item in enumerate(value):
            found = find_misfit(schema.get("items"), item, pointer=f"{pointer}/{index}")
            if found is not None:
                return found
    return None


def _misfit_of_object(
    schema: dict[str, Any], value: dict[str, Any], pointer: str
) -> tuple[str, str] | None:
    required = schema.get("required")
    for name in required if isinstance(required, list) else ():
        if name not in value:
            return pointer, f"{name!r} is missing"
    properties = schema.get("properties")
    properties = properties if isinstance(properties, dict) else {}
    for name, item in value.items():
        place = pointer + write_pointer([name])
        if name in properties:
            found = find_misfit(properties[name], item, pointer=place)
            if found is not None:
                return found
        elif schema.get("additionalProperties") is False:
            return place, f"{name!r} is not an allowed field"
    return None


def _is_type(value: Any, name: str) -> bool:
    if isinstance(value, bool):
        return name == "boolean"
    if name == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, _TYPES[name])


def _called(pointer: str) -> str:
    return repr(pointer.rpartition("/")[2]) if pointer else "the whole"
