"""Numbers as people and models write them, read as exact values.

A number has digits that may be grouped by commas, blanks or apostrophes, decimals after a point,
and an exponent (`1e3`, `1.5 x 10^3`, `1.5*10^3`, `1.5·10³`); or it is a fraction (`3/5`), a mixed
number (`1 1/2` is one and a half) or a power of whole numbers (`2^10`). Around it may be a sign, a
currency or a unit, and the marks of Markdown and LaTeX. A point always separates decimals, and a
comma never does.
"""

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from tapes_app.tapes.domain.number_marks import (
    CURRENCY_IN_FRONT,
    find_mark,
    find_scale,
    read_currency,
)
from tapes_app.tapes.domain.plain_math import fold_math, unwrap_math

_LONGEST_NUMBER = 1_000
"""In characters."""

_LARGEST_EXPONENT = 1_000
_MOST_BITS = 4_096
_MOST_UNREADABLE = 10
"""After that many numbers that are too large at its end, a text is not searched any further."""

_DIGITS = r"""
(?: [1-9]\d{0,2} (?: (?:,\d{3})++ | (?:'\d{3})++ | (?:[ ]\d{3})++ ) (?!\d)
  | [1-9]\d? (?:,\d{2}(?=,))++ ,\d{3} (?!\d)
  | \d++ )
"""
_PLAIN = r"(?: (?: [1-9]\d{0,2} (?:,\d{3})++ (?!\d) | \d++ ) (?:\.\d++)? )"
_NUMBER = rf"""
(?: (?P<whole>\d++) [ ] (?P<part>[1-9]\d*+) / (?P<parts>[1-9]\d*+) (?! [/^] | \.\d )
  | (?<!\d/) (?P<over>{_PLAIN}) [ ]?/[ ]? (?P<under>[-+]?{_PLAIN}) (?! \^ | [ ]?/[ ]?\d )
  | (?P<base>\d++) [ ]?\^[ ]? (?P<power>[-+]?\d++) (?! [/^] )
  | (?P<decimal> {_DIGITS} (?:\.\d++)? | (?<!\d)\.\d++ )
    (?: e (?P<e>[-+]?\d++) | [ ]?[*x][ ]?10[ ]?\^[ ]? (?P<ten>[-+]?\d++) )? )
"""
_WHOLE_NUMBER = re.compile(
    rf"[ ]?(?P<sign>[-+]?)[ ]?(?P<money>{CURRENCY_IN_FRONT})?[ ]?(?P<inner>[-+]?)[ ]?{_NUMBER}",
    re.VERBOSE | re.IGNORECASE,
)
_FOUND_NUMBER = re.compile(
    rf"(?P<minus> (?<! [\w)\]}}%^] ) - (?:(?:{CURRENCY_IN_FRONT})[ ]?)? )?"
    rf"(?<!\d) (?<!\^) (?<!\^[-+]) (?<![^\W_]_) {_NUMBER}",
    re.VERBOSE | re.IGNORECASE,
)
_GROUPS = str.maketrans("", "", ",' ")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number and what it counts."""

    value: Fraction
    mark: str
    """`%`, a currency or a unit; empty for a bare number."""


def read_quantity(text: str) -> Quantity | None:
    """Return the number that a text spells; `None` if it holds anything else."""
    if len(text) > _LONGEST_NUMBER:
        return None
    written = unwrap_math(fold_math(text))
    found = _WHOLE_NUMBER.match(written)
    value = _value_of(found) if found else None
    if found is None or value is None or (found["sign"] and found["inner"]):
        return None
    scale, rest = find_scale(written[found.end() :])
    before, behind = read_currency(found["money"] or ""), find_mark(rest)
    if behind is None or (before and behind not in {"", before}):
        return None
    is_negative = "-" in {found["sign"], found["inner"]}
    return Quantity(value * (-scale if is_negative else scale), before or behind)


def read_counted(text: str) -> tuple[Fraction, str] | None:
    """Return the number at the beginning of a text, and what stands behind it."""
    written = unwrap_math(fold_math(text)) if len(text) <= _LONGEST_NUMBER else ""
    found = _WHOLE_NUMBER.match(written)
    value = _value_of(found) if found else None
    if found is None or value is None or found["money"] or (found["sign"] and found["inner"]):
        return None
    scale, rest = find_scale(written[found.end() :])
    return (-scale if "-" in {found["sign"], found["inner"]} else scale) * value, rest.strip()


def numbers_in(text: str) -> Iterator[Fraction]:
    """Yield the numbers in a text in their order, with the minus that belongs to them.

    A hyphen behind a letter or a digit is no minus, and the digits of exponents and subscripts are
    no numbers.
    """
    values = map(_signed_value_of, _FOUND_NUMBER.finditer(fold_math(text)))
    yield from (value for value in values if value is not None)


def find_last_number(text: str) -> Fraction | None:
    """Return the last of the numbers in a text, which may be long."""
    last = deque(_FOUND_NUMBER.finditer(fold_math(text)), maxlen=_MOST_UNREADABLE)
    values = map(_signed_value_of, reversed(last))
    return next((value for value in values if value is not None), None)


def _signed_value_of(found: re.Match[str]) -> Fraction | None:
    value = _value_of(found)
    return -value if value is not None and found["minus"] else value


def _value_of(found: re.Match[str]) -> Fraction | None:
    """Return the value without its sign; `None` if it is none, or too large to be computed."""
    if found.end() - found.start() > _LONGEST_NUMBER:
        return None
    if found["parts"]:
        part = Fraction(int(found["part"]), int(found["parts"]))
        return int(found["whole"]) + part if part < 1 else None
    if found["under"]:
        under = _decimal(found["under"])
        return _decimal(found["over"]) / under if under else None
    if found["base"]:
        return _power(int(found["base"]), int(found["power"]))
    exponent = int(found["e"] or found["ten"] or 0)
    if abs(exponent) > _LARGEST_EXPONENT:
        return None
    return _decimal(found["decimal"]) * Fraction(10) ** exponent


def _decimal(digits: str) -> Fraction:
    return Fraction(digits.translate(_GROUPS))


def _power(base: int, exponent: int) -> Fraction | None:
    if abs(exponent) * base.bit_length() > _MOST_BITS or (base == 0 and exponent <= 0):
        return None
    return Fraction(base) ** exponent
