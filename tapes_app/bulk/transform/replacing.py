"""Replacing the matches of a person's pattern, bounded in time and size."""

import re
from collections.abc import Sequence
from typing import NoReturn

from tapes_app.engine.errors import InvalidInputError, TransformError
from tapes_app.engine.text_pattern import Found, PatternCostError, TextPattern

LONGEST_REPLACEMENT = 10_000
LONGEST_RESULT = 5_000_000
"""Maximum number of characters of a text after a replacement."""

_REFERENCE = re.compile(r"\\(?:(\d{1,2})|g<(\w{1,100})>|(.?))", re.DOTALL)
_ESCAPES = {"\\": "\\", "n": "\n", "t": "\t", "r": "\r"}


def check_replacement(pattern: TextPattern, replacement: str) -> None:
    r"""Refuse a replacement whose references, `\1` or `\g<name>`, are not in the pattern.

    Raises:
        InvalidInputError: it cannot be parsed.
    """
    if len(replacement) > LONGEST_REPLACEMENT:
        raise InvalidInputError(
            f"A replacement can have at most {LONGEST_REPLACEMENT:,} characters."
        )
    _read_replacement(pattern, replacement)


def replace_in_text(pattern: TextPattern, replacement: str, text: str) -> str:
    """Return a text with all matches replaced.

    Raises:
        TransformError: it takes too long, or makes the text too long.
    """
    parts = _read_replacement(pattern, replacement)
    pieces: list[str] = []
    end = size = 0
    try:
        for match in pattern.find_all(text):
            piece = _fill_in(parts, match)
            pieces += (text[end : match.start], piece)
            end = match.end
            size += len(piece)
            if size > LONGEST_RESULT:
                raise TransformError(
                    f"A text would become longer than {LONGEST_RESULT:,} characters."
                )
    except PatternCostError as error:
        raise TransformError(error.message) from error
    return "".join((*pieces, text[end:])) if pieces else text


def _read_replacement(pattern: TextPattern, replacement: str) -> Sequence[str | int]:
    """Return the texts of a replacement with the group numbers between them."""
    parts: list[str | int] = []
    end = 0
    for found in _REFERENCE.finditer(replacement):
        parts.append(replacement[end : found.start()])
        number, name, sign = found.groups()
        if sign is not None:
            parts.append(_ESCAPES[sign] if sign in _ESCAPES else _refuse(found[0]))
        else:
            parts.append(_find_group(pattern, number or name))
        end = found.end()
    return (*parts, replacement[end:])


def _find_group(pattern: TextPattern, group: str) -> int:
    number = int(group) if group.isdecimal() else pattern.group_names.get(group, -1)
    return number if 0 <= number <= pattern.group_count else _refuse(group)


def _refuse(group: str) -> NoReturn:
    raise InvalidInputError(
        f"The replacement is invalid: the expression has no group {group}. Write groups as \\1 or "
        "\\g<name>, and a backslash as \\\\."
    )


def _fill_in(parts: Sequence[str | int], match: Found) -> str:
    return "".join(part if isinstance(part, str) else match.groups[part] for part in parts)
