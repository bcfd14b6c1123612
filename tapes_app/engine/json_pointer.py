"""JSON pointers (RFC 6901): they address a place inside a JSON value."""

import re
from collections.abc import Iterable
from typing import Any

from tapes_app.engine.errors import InvalidInputError

_INDEX = re.compile(r"0|[1-9][0-9]{0,8}")


def read_pointer(pointer: str) -> list[str]:
    """Return the names in a pointer, unescaped; the empty pointer is the value itself.

    Raises:
        InvalidInputError: it is neither empty nor starts with a slash.
    """
    if not pointer:
        return []
    if not pointer.startswith("/"):
        raise InvalidInputError(
            f"{pointer!r} is not a JSON pointer; write '/content' for the field content.",
            field=pointer,
        )
    return [part.replace("~1", "/").replace("~0", "~") for part in pointer[1:].split("/")]


def write_pointer(names: Iterable[object]) -> str:
    return "".join(f"/{str(name).replace('~', '~0').replace('/', '~1')}" for name in names)


def find_value(value: Any, pointer: str) -> Any:
    """Return the value that a pointer addresses.

    Raises:
        InvalidInputError: there is nothing at that place.
    """
    found = value
    for name in read_pointer(pointer):
        if isinstance(found, dict) and name in found:
            found = found[name]
        elif isinstance(found, list) and _INDEX.fullmatch(name) and int(name) < len(found):
            found = found[int(name)]
        else:
            raise InvalidInputError(f"This step has no field {pointer!r}.", field=pointer)
    return found
