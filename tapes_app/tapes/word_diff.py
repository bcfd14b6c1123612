"""Word by word difference of two texts, for the fields of a changed step."""

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

MAX_TEXT_LENGTH = 20_000
"""Longer texts are shown whole, side by side: word diffs grow with the square of the words."""

MIN_PIECES_ALIKE = 0.4
MIN_TEXT_ALIKE = 0.35
"""Part of the letters of both sides; below, a reader has more from the two sides as they are."""

_PIECES = re.compile(r"\s+|\w+|[^\w\s]")


@dataclass(frozen=True)
class WordChange:
    op: Literal["equal", "insert", "delete"]
    text: str


class _Stretch(NamedTuple):
    """A stretch of both texts; equal when nothing was edited in it."""

    old: str
    new: str

    @property
    def is_equal(self) -> bool:
        return self.old == self.new


def diff_words(old: object, new: object) -> list[WordChange] | None:
    """Return what was taken out and put in; `None` where that would tell a reader nothing.

    That is when a side is not text, is very long, or when the two hardly share a word. Words
    between edits that are longer than themselves count as edited, so that what was rewritten
    is read in one go.
    """
    if not isinstance(old, str) or not isinstance(new, str):
        return None
    if max(len(old), len(new)) > MAX_TEXT_LENGTH:
        return None
    lefts, rights = _PIECES.findall(old), _PIECES.findall(new)
    matcher = difflib.SequenceMatcher(a=lefts, b=rights, autojunk=False)
    for ratio in (matcher.real_quick_ratio, matcher.quick_ratio, matcher.ratio):
        if ratio() < MIN_PIECES_ALIKE:
            return None
    stretches = _join_edits(
        _Stretch("".join(lefts[start:stop]), "".join(rights[other_start:other_stop]))
        for _, start, stop, other_start, other_stop in matcher.get_opcodes()
    )
    kept = sum(len(stretch.old) for stretch in stretches if stretch.is_equal)
    if 2 * kept < MIN_TEXT_ALIKE * (len(old) + len(new)):
        return None
    return list(_write(stretches))


def _join_edits(stretches: Iterable[_Stretch]) -> list[_Stretch]:
    """Return the stretches, each one that is equal and lost between longer edits joined to them.

    After the semantic cleanup of Fraser, "Diff Strategies" (2006).
    """
    joined: list[_Stretch] = []
    for stretch in stretches:
        joined.append(stretch)
        while _is_lost(joined[-3:]):
            olds, news = zip(*joined[-3:], strict=True)
            joined[-3:] = [_Stretch("".join(olds), "".join(news))]
    return joined


def _is_lost(stretches: Sequence[_Stretch]) -> bool:
    match stretches:
        case [before, between, after] if between.is_equal:
            return len(between.old) <= min(max(map(len, before)), max(map(len, after)))
    return False


def _write(stretches: Iterable[_Stretch]) -> Iterator[WordChange]:
    for old, new in stretches:
        if old == new:
            yield WordChange("equal", old)
            continue
        if old:
            yield WordChange("delete", old)
        if new:
            yield WordChange("insert", new)
