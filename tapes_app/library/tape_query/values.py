"""Reading the values of fields: choices, numbers with their units, moments, ranges."""

import difflib
import re
from collections.abc import Iterable

from tapes_app.library.tape_query.conditions import (
    Between,
    Clause,
    Compare,
    Match,
    Operator,
    Value,
    any_of,
    negate,
)
from tapes_app.library.tape_query.fields import Field
from tapes_app.library.tape_query.moments import is_moment
from tapes_app.library.tape_query.tokens import Token, query_error

LARGEST = 1e15
_NUMBER = re.compile(r"(-?\d+(?:\.\d+)?(?:e[+-]?\d{1,3})?)([a-z]*)", re.ASCII | re.IGNORECASE)
_COUNT_UNITS = {"": 1.0, "k": 1e3, "m": 1e6}
UNITS: dict[str, dict[str, float]] = {
    "count": _COUNT_UNITS,
    "number": {"": 1.0},
    "dollars": {"": 1.0},
    "seconds": {"": 1.0, "ms": 1e-3, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0},
}
_COMPARISONS: dict[str, Operator] = {"<": "<", "<=": "<=", ">": ">", ">=": ">="}


def read_condition(field: Field, token: Token, values: tuple[Token, ...]) -> Clause:
    """Return the condition that a field, its sign and its values make.

    Raises:
        QueryError: the sign or a value does not fit the field.
    """
    if field.is_ordered:
        return _read_ordered(field, token, values)
    if token.operator not in (":", "=", "!="):
        raise token.error(f"{field.name} only supports ':', as in {field.name}:…", f"{field.name}:")
    found = Match(field.name, tuple(_read_choice(field, value) for value in values))
    return negate(found) if token.operator == "!=" else found


def closest(text: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """Return the known word that a text is nearest to; empty when it is near none."""
    return next(iter(difflib.get_close_matches(text, list(known), n=1, cutoff=cutoff)), "")


def _read_choice(field: Field, value: Token) -> str:
    if field.type == "text":
        return value.text
    if value.text in field.choices:
        return value.text
    raise value.error(
        f"{field.name} must be one of {', '.join(field.choices)}, not {value.text!r}.",
        closest(value.text.lower(), field.choices),
    )


def _read_ordered(field: Field, token: Token, values: tuple[Token, ...]) -> Clause:
    conditions = tuple(_read_one(field, value) for value in values)
    operator = _COMPARISONS.get(token.operator)
    if operator is None:
        found = any_of(conditions)
        return negate(found) if token.operator == "!=" else found
    if len(conditions) > 1:
        raise query_error("A comparison takes one value.", values[0].end, values[-1].end)
    (condition,) = conditions
    if isinstance(condition, Between):
        raise token.error("A range must follow ':'.", f"{field.name}:")
    return Compare(field.name, operator, condition.value)


def _read_one(field: Field, value: Token) -> Compare | Between:
    low, dots, high = value.text.partition("..")
    if not dots:
        return Compare(field.name, "=", _read_value(field, value, value.text))
    if not low and not high:
        raise value.error("A range needs a start or an end.")
    return Between(
        field.name,
        _read_value(field, value, low) if low else None,
        _read_value(field, value, high) if high else None,
    )


def _read_value(field: Field, token: Token, text: str) -> Value:
    if field.type == "moment":
        if is_moment(text):
            return text.strip()
        raise token.error(
            f"{text!r} is not a date; write it like 2026-11-01, 2026-11-01T08:30 or 7d.", "7d"
        )
    found = _NUMBER.fullmatch(text.strip().removeprefix("$" if field.type == "dollars" else ""))
    units = UNITS[field.type]
    if found is None or found[2].lower() not in units:
        known = ", ".join(unit for unit in units if unit)
        hint = f", optionally with {known}" if known else ""
        raise token.error(f"{text!r} is not a number; {field.name} takes numbers{hint}.")
    number = float(found[1]) * units[found[2].lower()]
    if not -LARGEST <= number <= LARGEST:
        raise token.error(f"{text!r} is too large.")
    return number + 0.0
