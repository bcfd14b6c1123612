"""Whether an answer is the expected one, as far as comparing their texts can decide.

If either is a number, the other must be the same number, however it is written (`number_text`);
both may count the same thing, as in `1,200 crowns`. Lists are compared element by element, and
other text ignoring case, blanks, quotes, an article in front and the punctuation of sentences; `+`,
`#` and other symbols count, so that C is not C++. GAIA's scorer
(Mialon et al. 2023, "GAIA: a benchmark for general AI assistants", quasi exact match) counts
everything else as wrong. Here only a short answer is declared a failure: prose may contain the
right answer in other words, which a person or a judge must decide.
"""

import re
import unicodedata
from collections.abc import Iterator
from fractions import Fraction
from typing import Literal

from tapes_app.tapes.domain.number_marks import may_convert
from tapes_app.tapes.domain.number_text import (
    Quantity,
    find_last_number,
    numbers_in,
    read_counted,
    read_quantity,
)
from tapes_app.tapes.domain.plain_math import fold_powers

LONGEST_SHORT_ANSWER = 20
"""In words; a longer answer is prose."""

LONGEST_COMPARED = 2_000
"""In characters; a longer answer is compared as it is written."""

_MOST_SORTED = 50
"""Items of a list that may come in any order."""

_TOLERANCE = Fraction(1, 10**9)
"""Relative, for rounded decimals; whole numbers have to be the same."""

_BLANKS = re.compile(r"\s+")
_COMMAS = re.compile(r"[,;]")
_SEPARATORS = (
    _COMMAS,
    re.compile(";"),
    re.compile(r",?\s{1,9}(?:and|&)\s{1,9}|[,;\n]", re.IGNORECASE),
)
"""What may separate the items of a list: a comma may be in a number, and `and` in an item."""

_ARTICLE = re.compile(r"(?:[Tt]he|[Aa]n|a)\s+")
"""Not `A`, which may be a name, as in A minor."""

_SWAPPED = str.maketrans(",.", ".,")
_PROSE = re.compile(r"[^\W\d_]|[#~≈≃±]")
_COMMAND = re.compile(r"\\[a-zA-Z]+")

_LETTER = r"[^\W\d_]"
_HYPHEN = re.compile(
    rf"(?<={_LETTER}{_LETTER})\s?-\s?(?={_LETTER})|(?<=\w)\s?-\s?(?={_LETTER}{_LETTER})|^-\s(?=\w)"
)
"""A hyphen in a compound, a dash between words, or the mark of a list; anything else is a minus."""

_EMPHASIS = re.compile(r"(?<!\w)\*{1,3}([^*\s][^*]*)\*{1,3}(?!\w)")
_BETWEEN_DIGITS = re.compile(r"(?<=\d)[.,:' ](?=\d)")
_SYMBOLS = frozenset("#%&*/@\\-")
"""Punctuation, as Unicode sorts it, that has a meaning of its own."""


def compare_answers(
    expected: str, actual: str, *, any_order: bool = False
) -> Literal["", "pass", "fail"]:
    """Return whether two answers are equivalent; empty if their texts cannot decide that.

    `any_order`: lists of at most 50 items are equal in any order.
    """
    expected, actual = expected.strip(), actual.strip()
    if not expected or not actual:
        return ""
    if max(len(expected), len(actual)) > LONGEST_COMPARED:
        return "pass" if expected == actual else ""
    if expected == actual or _is_same(expected, actual):
        return "pass"
    if any_order and _are_same_sets(expected, actual):
        return "pass"
    return "" if _is_open(expected, actual) else "fail"


def is_short_answer(text: str) -> bool:
    """Return whether a text is short enough to be compared, rather than prose."""
    return len(text) <= LONGEST_COMPARED and not _is_long(text)


def _is_same(expected: str, actual: str) -> bool:
    wanted, given = read_quantity(expected), read_quantity(actual)
    if wanted is not None and given is not None:
        return _is_same_value(wanted.value, given.value) and (
            wanted.mark == given.mark or not (wanted.mark and given.mark)
        )
    if wanted is not None:
        return _is_list_of(actual, expected)
    if given is not None:
        return _is_list_of(expected, actual)
    return (
        _are_same_lists(expected, actual)
        or _count_the_same(expected, actual)
        or (bool(_bare(expected)) and _bare(expected) == _bare(actual))
    )


def _count_the_same(expected: str, actual: str) -> bool:
    """Return whether both are the same number of the same thing: 1,200 crowns, 1200 crowns."""
    wanted, given = read_counted(expected), read_counted(actual)
    if wanted is None or given is None or not _has_word(wanted[1]):
        return False
    return _is_same_value(wanted[0], given[0]) and _bare(wanted[1]) == _bare(given[1])


def _are_same_lists(expected: str, actual: str) -> bool:
    return any(
        1 < len(wanted) == len(given) and all(map(_is_same, wanted, given))
        for wanted, given in _split_both(expected, actual)
    )


def _are_same_sets(expected: str, actual: str) -> bool:
    """Return whether two lists have the same items, each as often."""
    return any(
        1 < len(wanted) == len(given) <= _MOST_SORTED and _have_same_items(wanted, given)
        for wanted, given in _split_both(expected, actual)
    )


def _split_both(expected: str, actual: str) -> Iterator[tuple[list[str], list[str]]]:
    for separator in _SEPARATORS:
        yield separator.split(expected), separator.split(actual)


def _have_same_items(wanted: list[str], given: list[str]) -> bool:
    left = list(given)
    for item in wanted:
        same = next((at for at, other in enumerate(left) if _is_same(item, other)), None)
        if same is None:
            return False
        del left[same]
    return True


def _is_list_of(text: str, number: str) -> bool:
    """Return whether a text lists what blanks separate in a number: 100 200 300 may be three."""
    parts, groups = _COMMAS.split(text), number.split()
    return 1 < len(groups) == len(parts) and all(map(_is_same, groups, parts))


def _is_same_value(one: Fraction, other: Fraction) -> bool:
    if one.denominator == other.denominator == 1:
        return one == other
    return abs(one - other) <= max(abs(one), abs(other)) * _TOLERANCE


def _is_open(expected: str, actual: str) -> bool:
    """Return whether answers that are not the same may still mean the same."""
    wanted, given = read_quantity(expected), read_quantity(actual)
    if wanted is not None and given is not None:
        return may_convert(wanted.mark, given.mark) and wanted.mark != given.mark
    if wanted is not None:
        return _may_state(actual, wanted) or _are_same_lists(expected, actual)
    if given is not None:
        return _may_state(expected, given) or _are_same_lists(expected, actual)
    words = [_words(text) for text in (expected, actual)]
    if _is_long(expected) or _is_long(actual) or not all(map(_has_word, words)):
        return True
    one, other = (f" {text} " for text in words)
    return one in other or other in one


def _may_state(text: str, number: Quantity) -> bool:
    """Return whether a text that is no number may name one."""
    if _is_long(text) or _COMMAND.search(text):
        return True
    swapped = read_quantity(text.translate(_SWAPPED))  # 1,5 is one and a half in some countries
    if swapped is not None:
        return _is_same_value(swapped.value, number.value)
    return _PROSE.search(text) is not None and any(
        _is_same_value(value, number.value) for value in numbers_in(text)
    )


def _is_long(text: str) -> bool:
    return len(text.split()) > LONGEST_SHORT_ANSWER


def read_number(text: str) -> float | None:
    """Return the number that a text spells, including `$1,200`, `17 %` and `3/5`; else `None`."""
    found = read_quantity(text)
    return None if found is None else _as_float(found.value)


def last_number(text: str) -> float | None:
    """Return the last number in a text; in `it is 1,200.` that is 1200."""
    found = find_last_number(text)
    return None if found is None else _as_float(found)


def _as_float(value: Fraction) -> float | None:
    try:
        return float(value)
    except OverflowError:
        return None


def _words(text: str) -> str:
    """Return a text in lower case without the punctuation that changes nothing."""
    folded = _BLANKS.sub(" ", fold_powers(text).casefold()).strip()
    folded = _HYPHEN.sub(" ", _EMPHASIS.sub(r"\1", folded))
    kept = {found.start() for found in _BETWEEN_DIGITS.finditer(folded)}
    marks = (mark if at in kept or not _is_ignored(mark) else " " for at, mark in enumerate(folded))
    return _BLANKS.sub(" ", "".join(marks)).strip()


def _is_ignored(mark: str) -> bool:
    if mark in _SYMBOLS:
        return False
    return mark in "`\u00b4" or unicodedata.category(mark)[0] in "PZC"


def _has_word(text: str) -> bool:
    return any(mark.isalnum() for mark in text)


def _bare(text: str) -> str:
    # An answer that is only punctuation keeps it: otherwise nothing is left to compare.
    words = re.sub(r"(?<!\d) | (?!\d)", "", _words(_ARTICLE.sub("", text.strip(" \"'*"), count=1)))
    return words or _BLANKS.sub("", fold_powers(text).casefold())
