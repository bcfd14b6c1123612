"""Text patterns: people's regular expressions, applied to text from anywhere.

They run on RE2, whose time is linear in the text and whose memory has a limit, whatever pattern and
text are. Syntax that it does not support is refused by name.
"""

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import re2

from tapes_app.engine.errors import InvalidInputError

LONGEST_PATTERN = 1_000
SECONDS_PER_TEXT = 1.0
"""The time limit for finding all matches in one text: each may scan the rest of it."""

_MOST_WORK = 400_000_000
"""Instructions of a pattern times bytes of a text: takes seconds if nothing can be shortened."""

_MOST_MEMORY = 2 * 1024 * 1024
_LARGEST_REPEAT = 1_000
_NOT_A_REPEAT = re.compile(r"(?<!\\)\{(?:,\d|\d{5})")
"""RE2 takes these for plain text, where people mean a number of repetitions."""

_HALVES = re.compile("[\ud800-\udfff]")
"""Lone surrogates: legal in JSON, but not in UTF-8, which RE2 reads."""

_UNSUPPORTED = {
    "(?=": "lookahead", "(?!": "lookahead", "(?<=": "lookbehind", "(?<!": "lookbehind",
    "(?>": "atomic groups", "(?P": "references to groups", "(?R": "recursion", "(?(": "conditions",
    "(?#": "comments", "++": "possessive repetition", "*+": "possessive repetition",
    "?+": "possessive repetition",
}  # fmt: skip
_INSTEAD = {r"\Z": r"write \z", r"\u": r"write \x{E9}", r"\h": r"write [\t ]"}


class PatternCostError(InvalidInputError):
    """A pattern is too expensive for a text."""

    code = "pattern_cost"


@dataclass(frozen=True, slots=True)
class Found:
    """A match: where it begins and ends, and its groups' content, the complete match first."""

    start: int
    end: int
    groups: tuple[str, ...]


class TextPattern:
    """A compiled regular expression."""

    def __init__(self, compiled: Any) -> None:
        self._compiled = compiled
        self._program_size = max(compiled.programsize, compiled.reverseprogramsize)

    @property
    def group_count(self) -> int:
        return int(self._compiled.groups)

    @property
    def group_names(self) -> dict[str, int]:
        """The named groups and their numbers."""
        return dict(self._compiled.groupindex)

    def is_in(self, text: str) -> bool:
        """Return whether a text has a match.

        Raises:
            PatternCostError: the pattern is too large for a text of this length.
        """
        return self._compiled.search(self._check(text)) is not None

    def is_whole(self, text: str) -> bool:
        """Return whether a text is a match from its start to its end.

        Raises:
            PatternCostError: the pattern is too large for a text of this length.
        """
        return self._compiled.fullmatch(self._check(text)) is not None

    def find_all(self, text: str) -> Iterator[Found]:
        """Yield the matches in a text in order.

        Raises:
            PatternCostError: it takes too long.
        """
        ends_at = time.monotonic() + SECONDS_PER_TEXT
        for match in self._compiled.finditer(self._check(text)):
            groups = (match[0], *match.groups(default=""))
            yield Found(match.start(), match.end(), groups)
            if time.monotonic() > ends_at:
                raise PatternCostError(
                    f"The expression took longer than {SECONDS_PER_TEXT:g} s on one text; "
                    "simplify it."
                )

    def _check(self, text: str) -> str:
        if self._program_size * len(text) > _MOST_WORK:
            raise PatternCostError(
                f"The expression is too large for a text of {len(text):,} characters; use fewer "
                "repetitions in it, or fewer character classes."
            )
        return text if text.isascii() else _HALVES.sub("\ufffd", text)


@lru_cache(maxsize=64)
def compile_pattern(pattern: str, *, ignore_case: bool = False) -> TextPattern:
    """Return the compiled pattern.

    Raises:
        InvalidInputError: it is empty, too long, invalid, or uses syntax that RE2 does not support;
            the message names it.
    """
    if not pattern:
        raise InvalidInputError("Enter a regular expression to search for.")
    if len(pattern) > LONGEST_PATTERN:
        raise InvalidInputError(
            f"A regular expression can have at most {LONGEST_PATTERN:,} characters."
        )
    if _NOT_A_REPEAT.search(pattern):
        raise InvalidInputError(_REPEATS)
    options = re2.Options()
    options.log_errors = False
    options.max_mem = _MOST_MEMORY
    options.case_sensitive = not ignore_case
    try:
        return TextPattern(re2.compile(pattern, options))
    except UnicodeEncodeError as error:
        raise InvalidInputError("The regular expression is invalid: half a character.") from error
    except re2.error as error:
        message = error.args[0]
        reason = message.decode("utf-8", "replace") if isinstance(message, bytes) else str(message)
        raise InvalidInputError(_explain(reason)) from error


_REPEATS = (
    f"The regular expression is invalid: write repetition counts as {{0,5}}, up to "
    f"{_LARGEST_REPEAT:,} times in total."
)


def _explain(reason: str) -> str:
    kind, _, found = reason.partition(": ")
    if kind == "invalid repetition size":
        return _REPEATS
    if kind == "pattern too large - compile failed":
        return "The regular expression is too large; use fewer repetitions in it."
    if found in _UNSUPPORTED or found[:2] in {*(rf"\{n}" for n in range(1, 10)), r"\g", r"\k"}:
        noun = _UNSUPPORTED.get(found, "references to groups")
        return (
            f"The regular expression uses {noun} ({found}), which would make it slow without "
            "limit; remove it."
        )
    instead = f"; {_INSTEAD[found]}" if found in _INSTEAD else ""
    return f"The regular expression is invalid: {reason}{instead}."
