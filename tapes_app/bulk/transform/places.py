"""Places inside JSON by pointer (RFC 6901), with `*` for every item or field of one level."""

import re
from collections.abc import Callable
from typing import Any

from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.json_pointer import read_pointer

ANY = "*"
"""Every item of a list, every field of an object. A field with that very name is `~2`."""

DEEPEST = 32
_INDEX = re.compile(r"0|[1-9][0-9]{0,8}")

Change = Callable[[Any], Any]


def read_places(pointer: str) -> tuple[str, ...]:
    """Return the names in a pointer, which may contain wildcards.

    Raises:
        InvalidInputError: it does not begin with a slash, or is too deep.
    """
    names = tuple(read_pointer(pointer))
    if len(names) > DEEPEST:
        raise InvalidInputError(f"A path can have at most {DEEPEST} parts.", field=pointer)
    return names


def change_places(value: Any, names: tuple[str, ...], change: Change) -> Any:
    """Return a value with the places that the names lead to changed, if there are any.

    Unchanged parts are the same objects as before.
    """
    if not names:
        return change(value)
    name, rest = names[0], names[1:]
    if isinstance(value, dict):
        keys = list(value) if name == ANY else [key for key in (_field(name),) if key in value]
        changed = {key: change_places(value[key], rest, change) for key in keys}
        if all(changed[key] is value[key] for key in keys):
            return value
        return {key: changed.get(key, item) for key, item in value.items()}
    if isinstance(value, list):
        wanted = _indices(name, len(value))
        items = [
            change_places(item, rest, change) if at in wanted else item
            for at, item in enumerate(value)
        ]
        return value if all(a is b for a, b in zip(items, value, strict=True)) else items
    return value


def change_texts(value: Any, change: Callable[[str], str]) -> Any:
    """Return a value with every text in it changed; field names stay."""
    if isinstance(value, str):
        changed = change(value)
        return value if changed == value else changed
    if isinstance(value, dict | list):
        return change_places(value, (ANY,), lambda inner: change_texts(inner, change))
    return value


def _field(name: str) -> str:
    return name.replace("~2", ANY)


def _indices(name: str, length: int) -> range:
    if name == ANY:
        return range(length)
    at = int(name) if _INDEX.fullmatch(name) else length
    return range(at, min(at + 1, length))
