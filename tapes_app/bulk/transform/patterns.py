"""Regular expressions from people over texts from anywhere: bounded in time and in size.

The library `regex` is used for its time limit: Python's own `re` cannot be stopped.
"""

from functools import lru_cache
from typing import Any

import regex

from tapes_app.engine.errors import InvalidInputError, TransformError

LONGEST_PATTERN = 1_000
LONGEST_REPLACEMENT = 10_000
LONGEST_RESULT = 5_000_000
"""Characters that one text may have after a replacement."""

SECONDS_PER_TEXT = 1.0


@lru_cache(maxsize=64)
def compile_pattern(pattern: str, *, ignore_case: bool = False) -> regex.Pattern[str]:
    """Return a pattern ready to be asked.

    Raises:
        InvalidInputError: it is empty, too long, or no regular expression; the message says where.
    """
    if not pattern:
        raise InvalidInputError("Enter a regular expression to search for.")
    if len(pattern) > LONGEST_PATTERN:
        raise InvalidInputError(
            f"A regular expression can have at most {LONGEST_PATTERN:,} characters."
        )
    try:
        return regex.compile(pattern, regex.IGNORECASE if ignore_case else 0)
    except regex.error as error:
        raise InvalidInputError(f"The regular expression is invalid: {error}.") from error
    except (RecursionError, OverflowError) as error:
        raise InvalidInputError("The regular expression nests too deeply; simplify it.") from error


def check_replacement(pattern: regex.Pattern[str], replacement: str) -> None:
    r"""Refuse a replacement whose references, `\1` or `\g<name>`, are not in the pattern.

    Raises:
        InvalidInputError: it cannot be read.
    """
    if len(replacement) > LONGEST_REPLACEMENT:
        raise InvalidInputError(
            f"A replacement can have at most {LONGEST_REPLACEMENT:,} characters."
        )
    try:
        # References are looked at when something matches: an empty alternative always does.
        probe = regex.compile(f"|{pattern.pattern}", pattern.flags & regex.IGNORECASE)
        probe.sub(replacement, "", timeout=SECONDS_PER_TEXT)
    except (regex.error, IndexError, TimeoutError) as error:
        raise InvalidInputError(
            f"The replacement is invalid: {error}. Write groups as \\1 or \\g<name>."
        ) from error


def replace_in_text(pattern: regex.Pattern[str], replacement: str, text: str) -> str:
    """Return a text with all matches replaced.

    Raises:
        TransformError: that takes too long, or makes the text too long.
    """
    pieces: list[str] = []
    end = size = 0
    try:
        for match in pattern.finditer(text, timeout=SECONDS_PER_TEXT):
            piece = _expand(match, replacement)
            pieces += (text[end : match.start()], piece)
            end = match.end()
            size += len(piece)
            if size > LONGEST_RESULT:
                raise TransformError(
                    f"A text would become longer than {LONGEST_RESULT:,} characters."
                )
    except TimeoutError as error:
        raise TransformError(
            f"The expression took longer than {SECONDS_PER_TEXT:g} s on one text; simplify it."
        ) from error
    return "".join((*pieces, text[end:])) if pieces else text


def _expand(match: Any, replacement: str) -> str:
    if "\\" not in replacement:
        return replacement
    return str(match.expand(replacement))
