"""Words and numbers of JSON values, to determine whether one text uses words of another."""

import re
from collections.abc import Iterator
from typing import Any

STEM_LENGTH = 6
"""Words are compared by this many letters, so that "album" and "albums" match."""

# Only scripts that separate words by blanks: in others a piece of a sentence means nothing.
_TERM = re.compile(r"[0-9A-Za-zÀ-ɏЀ-ӿͰ-Ͽ]{4,}|\d+(?:[.,]\d+)+|\d{2,}")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_NUMBER = re.compile(r"(?<![\w.])-?(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?")
_FAILURE = re.compile(
    r"\b(?:errors?|fail\w*|unable|cannot|can\W?t|could ?n\W?o?t|unavailable|invalid|sorry|"
    r"again|retry\w*|instead|denied|time[ds]? ?out|exception|wrong|missing|problem|issue|"
    r"unfortunately|not (?:found|available|possible|work\w*|exist)|no (?:answer|result\w*))\b",
    re.IGNORECASE,
)
_SMALL_NUMBERS = {
    "zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6",
    "seven": "7", "eight": "8", "nine": "9", "ten": "10", "eleven": "11", "twelve": "12",
}  # fmt: skip


def texts_of(value: Any) -> Iterator[str]:
    """Yield all texts and numbers inside a JSON value in order, at any depth."""
    for item in _walk(value):
        if isinstance(item, str):
            yield item
        elif isinstance(item, int | float) and not isinstance(item, bool):
            yield str(item)


def keys_of(value: Any) -> Iterator[str]:
    """Yield the keys of all objects inside a JSON value."""
    for item in _walk(value):
        if isinstance(item, dict):
            yield from map(str, item)


def _walk(value: Any) -> Iterator[Any]:
    """Yield a JSON value and all values inside it, without recursion, as depth may be hostile."""
    stack = [iter((value,))]
    while stack:
        for item in stack[-1]:
            yield item
            if isinstance(item, dict):
                stack.append(iter(item.values()))
                break
            elif isinstance(item, list | tuple):
                stack.append(iter(item))
                break
        else:
            stack.pop()


def stems_of(text: str) -> set[str]:
    """Return the stems of a text's longer words, in lower case, and its numbers."""
    return {term[:STEM_LENGTH] for term in _TERM.findall(_THOUSANDS.sub("", text.lower()))}


def numbers_of(text: str) -> list[str]:
    """Return the numbers of a text without thousands separators, including small ones in words."""
    found = [match.replace(",", "") for match in _NUMBER.findall(text)]
    return found + [
        _SMALL_NUMBERS[word]
        for word in re.findall(r"[a-z]+", text.lower())
        if word in _SMALL_NUMBERS
    ]


def speaks_of_failure(text: str) -> bool:
    """Return whether a text admits that something did not work, or tries another way."""
    return _FAILURE.search(text) is not None
