"""Fits hostile text into text columns: columns serve lists, the bodies are exact."""

import re
from uuid import UUID

from tapes_app.engine.errors import InvalidInputError

# PostgreSQL refuses NUL, and both drivers refuse lone surrogates.
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_DIGITS = 9


def fit_text(value: object, length: int) -> str:
    """Return `value` as text that fits a column of `length` characters."""
    text = value if isinstance(value, str) else "" if value is None else str(value)
    cut = text[:length]
    if cut.isascii() and "\0" not in cut:
        return cut
    return UNSTORABLE.sub("\ufffd", cut)


def check_text(value: str, length: int, what: str) -> str:
    """Return a text that must be stored unchanged: a name, an address.

    Raises:
        InvalidInputError: it is too long, or contains characters that no database accepts.
    """
    if len(value) > length:
        raise InvalidInputError(
            f"{what} has {len(value)} characters; the limit is {length}.", length=length
        )
    if UNSTORABLE.search(value):
        raise InvalidInputError(f"{what} contains characters that are not allowed; remove them.")
    return value


def check_name(value: str, length: int, what: str) -> str:
    """Return a name in the form it is stored, without surrounding blanks.

    Raises:
        InvalidInputError: it is blank, or `check_text` refuses it.
    """
    name = value.strip()
    if not name:
        raise InvalidInputError(f"{what} needs at least one character.")
    return check_text(name, length, what)


def fit_line(value: str, length: int) -> str:
    """Return the beginning of a text as one line, with an ellipsis if it was cut."""
    # A 5 MB line must not be scanned twice to show 200 characters of it.
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
    """Return the name and the number of `NAME@3`; the number is 0 if there is none."""
    name, at, number = text.rpartition("@")
    is_numbered = bool(at) and number.isascii() and number.isdecimal() and len(number) <= _DIGITS
    return (name, int(number)) if is_numbered else (text, 0)
