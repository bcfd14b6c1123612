"""Word by word difference of two texts, for the changed fields of steps, transforms and agents."""

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from tapes_app.engine.tape.field_diff import FieldDiff, FieldOp, count_equal_start
from tapes_app.tapes.domain.step_cuts import LONGEST_STEP, cut_value

MAX_TEXT_LENGTH = 20_000
"""Longer texts are shown in full, next to each other: word diffs take quadratic time."""

MIN_PIECES_ALIKE = 0.4
MIN_TEXT_ALIKE = 0.35
"""Share of the letters of both sides; below it, the two sides as they are tell a reader more."""

_PIECES = re.compile(r"\s+|\w+|[^\w\s]")


@dataclass(frozen=True)
class WordChange:
    op: Literal["equal", "insert", "delete"]
    text: str


@dataclass(frozen=True)
class FieldChange:
    path: str
    op: FieldOp
    old: Any
    new: Any
    words: list[WordChange] | None
    """Set if both are similar texts."""

    is_cut: bool  # a side is so large that only its beginning is included


class _Stretch(NamedTuple):
    """A stretch of both texts; equal when nothing was edited in it."""

    old: str
    new: str

    @property
    def is_equal(self) -> bool:
        return self.old == self.new


def diff_words(old: object, new: object) -> list[WordChange] | None:
    """Return what was removed and added; `None` if that would not help a reader.

    That is the case if a side is not text or is very long, or if the two have hardly a word in
    common. Words between edits that are longer than those words count as edited, so that a
    rewritten passage is read as one.
    """
    if not isinstance(old, str) or not isinstance(new, str):
        return None
    if max(len(old), len(new)) > MAX_TEXT_LENGTH:
        return None
    stretches = _compare(_PIECES.findall(old), _PIECES.findall(new))
    if stretches is None:
        return None
    kept = sum(len(stretch.old) for stretch in stretches if stretch.is_equal)
    if 2 * kept < MIN_TEXT_ALIKE * (len(old) + len(new)):
        return None
    return list(_write(stretches))


def _compare(olds: list[str], news: list[str]) -> list[_Stretch] | None:
    """Return the stretches of two lists of pieces; `None` if they have too little in common.

    Only what lies between their equal start and end takes quadratic time: whoever changes a
    sentence of a long text has the answer while typing.
    """
    start = count_equal_start(olds, news)
    end = count_equal_start(reversed(olds[start:]), reversed(news[start:]))
    lefts, rights = olds[start : len(olds) - end], news[start : len(news) - end]
    matcher = difflib.SequenceMatcher(a=lefts, b=rights, autojunk=False)
    least = MIN_PIECES_ALIKE * (len(olds) + len(news)) - 2 * (start + end)
    for ratio in (matcher.real_quick_ratio, matcher.quick_ratio, matcher.ratio):
        if ratio() * (len(lefts) + len(rights)) < least:
            return None
    before, after = "".join(olds[:start]), "".join(olds[len(olds) - end :])
    between = (
        _Stretch("".join(lefts[left:stop]), "".join(rights[right:other_stop]))
        for _, left, stop, right, other_stop in matcher.get_opcodes()
    )
    stretches = (_Stretch(before, before), *between, _Stretch(after, after))
    return _join_edits(filter(any, stretches))


def show_field(field: FieldDiff, *, room: int = LONGEST_STEP) -> FieldChange:
    """Return a field for display; sides longer than `room` characters are truncated."""
    old, new = (cut_value(side, room=room) for side in (field.old, field.new))
    is_cut = old is not field.old or new is not field.new
    return FieldChange(field.path, field.op, old, new, diff_words(field.old, field.new), is_cut)


def _join_edits(stretches: Iterable[_Stretch]) -> list[_Stretch]:
    """Return the stretches, with equal ones joined into the longer edits that surround them.

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
