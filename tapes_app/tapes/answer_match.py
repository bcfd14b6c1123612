"""Whether an answer is the expected one, as far as comparing their texts can say.

Answers are brought to a common form as GAIA's scorer does (Mialon et al. 2023, "GAIA: a
benchmark for general AI assistants", quasi exact match): numbers without `$`, `%` and
thousands separators as numbers; lists element by element; other text without case, blanks and
punctuation. GAIA counts everything else as wrong. Here a failure is said only of a short answer:
prose may hold the right answer in other words, which is for a person or a judge to say.
"""

import math
import re
import unicodedata
from typing import Literal

LONGEST_SHORT_ANSWER = 20
"""Words; a longer answer is prose."""

_LONGEST_COMPARED = 2_000
_NUMBER = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d{1,3})?", re.IGNORECASE)
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(\D|$))")
_BLANKS = re.compile(r"\s+")
_SEPARATORS = re.compile(r"[,;]")
_NO_WORD = re.compile(r"[\W_]+")


def compare_answers(expected: str, actual: str) -> Literal["", "pass", "fail"]:
    """Return whether two answers say the same; empty when that cannot be told from their texts."""
    expected, actual = expected.strip(), actual.strip()
    if not expected or not actual:
        return ""
    if max(len(expected), len(actual)) > _LONGEST_COMPARED:
        return "pass" if expected == actual else ""
    if _is_same(expected, actual):
        return "pass"
    return "" if _may_hold(expected, actual) else "fail"


def _is_same(expected: str, actual: str) -> bool:
    wanted, given = read_number(expected), read_number(actual)
    if wanted is not None and given is not None:
        return math.isclose(wanted, given, rel_tol=1e-9, abs_tol=1e-12)
    wanted_items, given_items = (_SEPARATORS.split(text) for text in (expected, actual))
    if len(wanted_items) > 1 and len(wanted_items) == len(given_items):
        return all(map(_is_same, wanted_items, given_items))
    return bool(_bare(expected)) and _bare(expected) == _bare(actual)


def _may_hold(expected: str, actual: str) -> bool:
    """Tell whether the expected answer may be in the other one, or the other way round."""
    number = read_number(expected)
    if number is not None and read_number(actual) is not None:
        return False  # 5 is in the text of -5 and of 5.25, but no part of them
    words = [_words(text) for text in (expected, actual)]
    if max(len(text.split()) for text in words) > LONGEST_SHORT_ANSWER or not all(words):
        return True
    one, other = (f" {text} " for text in words)
    if one in other or other in one:
        return True
    if number is None:
        return False
    return any(float(found.group()) == number for found in _NUMBER.finditer(_plain(actual)))


def read_number(text: str) -> float | None:
    """Return the number that a text spells, `$1,200` and `17 %` included; `None` for others."""
    bare = _plain(text).strip("$€£% ")
    if not _NUMBER.fullmatch(bare):
        return None
    value = float(bare)
    return value if math.isfinite(value) else None


def last_number(text: str) -> float | None:
    """Return the last number in a text; in `it is 1,200.` that is 1200."""
    found = [float(one.group()) for one in _NUMBER.finditer(_plain(text))]
    finite = [value for value in found if math.isfinite(value)]
    return finite[-1] if finite else None


def _plain(text: str) -> str:
    return _THOUSANDS.sub("", _folded(text)).replace("\u2212", "-").strip()


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _words(text: str) -> str:
    return _NO_WORD.sub(" ", _folded(text)).strip()


def _bare(text: str) -> str:
    # An answer that is a symbol ("+") keeps it: else nothing would be left to compare.
    words = _NO_WORD.sub("", _folded(text))
    return words or _BLANKS.sub("", _folded(text))
