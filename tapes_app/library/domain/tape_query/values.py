"""Parsing the values of fields: choices, numbers with their units, points in time, ranges."""

import difflib
import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from tapes_app.library.domain.tape_query.conditions import (
    Between,
    Clause,
    Compare,
    Match,
    Operator,
    Value,
    any_of,
    negate,
)
from tapes_app.library.domain.tape_query.fields import Field
from tapes_app.library.domain.tape_query.tokens import Token, query_error

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
_AGO = re.compile(r"(\d{1,6})(min|h|d|w)", re.ASCII)
_AGO_UNITS = {
    "min": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
}
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_TIME = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2})?", re.ASCII)
_EARLIEST = datetime(1, 1, 2, tzinfo=UTC)
_SOME_DAY = datetime(2026, 1, 1, tzinfo=UTC)


def read_condition(field: Field, token: Token, values: tuple[Token, ...]) -> Clause:
    """Return the condition for a field, its operator and its values.

    Raises:
        QueryError: the operator or a value does not fit the field.
    """
    if field.is_ordered:
        return _read_ordered(field, token, values)
    if token.operator not in (":", "=", "!="):
        raise token.error(f"{field.name} only supports ':', as in {field.name}:…", f"{field.name}:")
    found = Match(field.name, tuple(_read_choice(field, value) for value in values))
    return negate(found) if token.operator == "!=" else found


def read_moment(text: str, now: datetime) -> tuple[datetime, datetime] | None:
    """Return start and end of a point in time, which differ for a day; `None` if it is not one.

    A day or a time: `2026-11-01`, `2026-11-01T08:30`; or how long ago: `7d`, `12h`, `30min`.
    """
    text = text.strip()
    ago = _AGO.fullmatch(text)
    if ago is not None:
        try:
            moment = now - int(ago[1]) * _AGO_UNITS[ago[2]]
        except OverflowError:
            moment = _EARLIEST
        return moment, moment
    try:
        if _DAY.fullmatch(text):
            start = datetime.fromisoformat(text).replace(tzinfo=UTC)
            return start, start + timedelta(days=1)
        if _TIME.fullmatch(text):
            read = datetime.fromisoformat(text)
            moment = read if read.tzinfo is not None else read.replace(tzinfo=UTC)
            moment.astimezone(UTC)  # the first and last days overflow
            return moment, moment
    except (ValueError, OverflowError):
        return None
    return None


def closest(text: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """Return the known word closest to a text; empty if none is close."""
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
        if read_moment(text, _SOME_DAY) is not None:
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
