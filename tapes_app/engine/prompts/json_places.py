"""Where a value is in a JSON text, for marking what is wrong in a model's answer."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

_SPACE = re.compile(r"[ \t\n\r]*")
_decoder = json.JSONDecoder()


class TextRange(NamedTuple):
    """A stretch of a text in code points, the end exclusive."""

    start: int
    end: int


def find_place(text: str, path: Sequence[str | int]) -> TextRange | None:
    """Return the range of the value that a path leads to in a valid JSON text.

    If the path goes beyond the value, return the range of the last value along it: a missing field
    is a fault of the object that lacks it.
    """
    at = _skip(text, 0)
    place = TextRange(at, _decoder.raw_decode(text, at)[1])
    for name in path:
        inner = next((found for key, found in _parts(text, place.start) if key == name), None)
        if inner is None:
            return place
        place = inner
    return place


def list_items(text: str) -> list[TextRange]:
    """Return the ranges of the items of a valid JSON list, or of the entire value if not a list."""
    at = _skip(text, 0)
    if text[at] == "[":
        return [place for _, place in _parts(text, at)]
    return [TextRange(at, _decoder.raw_decode(text, at)[1])]


def line_and_column(text: str, at: int) -> tuple[int, int]:
    """Return the line and column of a position, both counted from 1."""
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


def _parts(text: str, at: int) -> Iterator[tuple[str | int, TextRange]]:
    """Yield the keys and values of the object, or indices and items of the list, at `at`."""
    opening = text[at]
    if opening not in "{[":
        return
    at = _skip(text, at + 1)
    number = 0
    while text[at] not in "}]":
        key: str | int = number
        if opening == "{":
            key, at = _decoder.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)
        end = _decoder.raw_decode(text, at)[1]
        yield key, TextRange(at, end)
        at = _skip(text, end)
        if text[at] == ",":
            at = _skip(text, at + 1)
        number += 1


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at
