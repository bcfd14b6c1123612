"""Word by word difference of two texts, for the fields of a changed step."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from typing import Literal

MAX_TEXT_LENGTH = 20_000
"""Longer texts are shown whole, side by side: word diffs grow with the square of the words."""

MIN_LIKENESS = 0.4
_PIECES = re.compile(r"\s+|\w+|[^\w\s]")


@dataclass(frozen=True)
class WordChange:
    op: Literal["equal", "insert", "delete"]
    text: str


def diff_words(old: object, new: object) -> list[WordChange] | None:
    """Return what was taken out and put in; `None` where that would tell a reader nothing.

    That is when a side is no text, is very long, or when the two hardly share a word.
    """
    if not isinstance(old, str) or not isinstance(new, str):
        return None
    if max(len(old), len(new)) > MAX_TEXT_LENGTH:
        return None
    lefts, rights = _PIECES.findall(old), _PIECES.findall(new)
    matcher = difflib.SequenceMatcher(a=lefts, b=rights, autojunk=False)
    if matcher.real_quick_ratio() < MIN_LIKENESS or matcher.quick_ratio() < MIN_LIKENESS:
        return None
    if matcher.ratio() < MIN_LIKENESS:
        return None
    changes: list[WordChange] = []
    for op, start, stop, other_start, other_stop in matcher.get_opcodes():
        if op == "equal":
            changes.append(WordChange("equal", "".join(lefts[start:stop])))
            continue
        if stop > start:
            changes.append(WordChange("delete", "".join(lefts[start:stop])))
        if other_stop > other_start:
            changes.append(WordChange("insert", "".join(rights[other_start:other_stop])))
    return changes
