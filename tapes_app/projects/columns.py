"""What a text column can hold of hostile text: columns serve lists, the bodies are exact."""

import re
from uuid import UUID

from tapes_app.engine.errors import InvalidInputError

# NUL is refused by PostgreSQL, lone surrogates by both drivers.
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_DIGITS = 9


def fit_text(value: object, length: int) -> str:
    """Return `value` as text that a column of `length` characters takes."""
    text = value if isinstance(value, str) else "" if value is None else str(value)
    cut = text[:length]
    if cut.isascii() and "\0" not in cut:
        return cut
    return _UNSTORABLE.sub("\ufffd", cut)


def check_text(value: str, length: int, what: str) -> str:
    """Return a text that must be stored as it is: a name, an address.

    Raises:
        InvalidInputError: it is too long, or holds what no database takes.
    """
    if len(value) > length:
        raise InvalidInputError(
            f"{what} has {len(value)} characters; the limit is {length}.", length=length
        )
    if _UNSTORABLE.search(value):
        raise InvalidInputError(f"{what} contains characters that are not allowed; remove them.")
    return value


def check_name(value: str, length: int, what: str) -> str:
    """Return a name as it is stored, without blanks around it.

    Raises:
        InvalidInputError: nothing is left of it, or `check_text` refuses it.
    """
    name = value.strip()
    if not name:
        raise InvalidInputError(f"{what} needs at least one character.")
    return check_text(name, length, what)


def fit_line(value: str, length: int) -> str:
    """Return the beginning of a text as one line, with an ellipsis where it was cut."""
    # A 5 MB line must not be walked twice to show 200 characters of it.
    line = " ".join(fit_text(value, length * 4).split())
    return line if len(line) <= length else line[: length - 1] + "…"


def read_uuid(text: str | None) -> UUID | None:
    """Return the UUID that a text spells in its usual form; `None` for any other text."""
    try:
        value = UUID(text)
    except (ValueError, TypeError, AttributeError):
        return None
    return value if str(value) == text else None


def split_version(text: str) -> tuple[str, int]:
    """Return the name and the number of `NAME@3`; the number is 0 where there is none."""
    name, at, number = text.rpartition("@")
    is_numbered = bool(at) and number.isascii() and number.isdecimal() and len(number) <= _DIGITS
    return (name, int(number)) if is_numbered else (text, 0)
