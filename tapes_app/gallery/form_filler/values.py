"""Values of slots: read from what people and models write, or refused with a reason.

A value that was read is in one form: text without surrounding spaces, ISO 8601 dates and times, an
allowed value as the form spells it, a number, or true and false.
"""

import re
from contextlib import suppress
from datetime import date, datetime
from math import isfinite, nan
from typing import TYPE_CHECKING, TypeAlias

from dateutil import parser as dates
from email_validator import EmailNotValidError, validate_email
from pydantic import AnyHttpUrl, JsonValue, TypeAdapter, ValidationError

from tapes_app.engine.text_pattern import compile_pattern

if TYPE_CHECKING:
    from tapes_app.gallery.form_filler.forms import Parameter

Scalar: TypeAlias = str | float | bool

LONGEST_VALUE = 2_000
_LONGEST_DATE = 60
_SHOWN = 80
_TRUE = frozenset({"yes", "true", "y"})
_FALSE = frozenset({"no", "false", "n"})
_GROUPED = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d+)?")
_URL = TypeAdapter(AnyHttpUrl)
# Whatever a text does not say is taken from these; where the results differ, it was not said.
_UNSAID = datetime(2000, 1, 1, 1, 1, 1), datetime(2004, 2, 2, 2, 2, 2)  # noqa: DTZ001


class SlotValueError(ValueError):
    """A value that a slot does not take; the message says why, as the end of a sentence."""


def read_value(slot: "Parameter", value: JsonValue) -> JsonValue:
    """Return a value as the form stores it.

    Raises:
        SlotValueError: the slot does not take it.
    """
    if isinstance(value, dict | list) or value is None:
        raise SlotValueError("a single value is expected")
    kind = slot.slot_type
    if kind == "boolean":
        return _read_truth(value)
    if kind in ("number", "integer"):
        return _read_number(slot, value)
    text = str(value).strip()
    if not text:
        raise SlotValueError("there is no value")
    if len(text) > LONGEST_VALUE:
        raise SlotValueError(f"it is longer than {LONGEST_VALUE:,} characters")
    if kind == "categorical":
        return _choose(slot, text)
    if kind == "date":
        return _read_date(text)
    if kind == "time":
        return _read_time(text)
    if kind == "email":
        return _read_email(text)
    if kind == "url":
        return _read_url(text)
    return _check_text(slot, text)


def _read_truth(value: Scalar) -> bool:
    word = str(value).strip().casefold()
    if word in _TRUE:
        return True
    if word in _FALSE:
        return False
    raise SlotValueError(f"{_shown(value)} is neither yes nor no")


def _read_number(slot: "Parameter", value: Scalar) -> float:
    text = str(value).strip()
    if _GROUPED.fullmatch(text):
        text = text.replace(",", "")
    try:
        number = nan if isinstance(value, bool) or len(text) > _LONGEST_DATE else float(text)
    except ValueError:
        number = nan
    if not isfinite(number):
        raise SlotValueError(f"{_shown(value)} is not a number")
    if slot.slot_type == "integer" and not number.is_integer():
        raise SlotValueError(f"{_shown(value)} is not a whole number")
    if slot.minimum is not None and number < slot.minimum:
        raise SlotValueError(f"{_shown(value)} is less than {slot.minimum:g}")
    if slot.maximum is not None and number > slot.maximum:
        raise SlotValueError(f"{_shown(value)} is more than {slot.maximum:g}")
    return int(number) if number.is_integer() else number


def _choose(slot: "Parameter", text: str) -> str:
    for choice in slot.enum or ():
        if choice.casefold() == text.casefold():
            return choice
    allowed = ", ".join(slot.enum or ())
    raise SlotValueError(f"{_shown(text)} is not among the allowed values: {allowed}")


def _read_date(text: str) -> str:
    with suppress(ValueError):
        return date.fromisoformat(text).isoformat()
    given = _read_moment(text, "date")
    if not {"year", "month", "day"} <= given.keys() or "hour" in given:
        raise SlotValueError(f"{_shown(text)} is not a date with day, month and year")
    if _read_moment(text, "date", dayfirst=True) != given:
        raise SlotValueError(f"{_shown(text)} may be one of two dates: write the month as a word")
    return f"{given['year']:04}-{given['month']:02}-{given['day']:02}"


def _read_time(text: str) -> str:
    given = _read_moment(text, "time")
    if "hour" not in given or given.keys() & {"year", "month", "day"}:
        raise SlotValueError(f"{_shown(text)} is not a time of day")
    return f"{given['hour']:02}:{given.get('minute', 0):02}"


def _read_moment(text: str, what: str, *, dayfirst: bool = False) -> dict[str, int]:
    """Return the parts of a date or time that a text says."""
    if len(text) > _LONGEST_DATE:
        raise SlotValueError(f"{_shown(text)} is not a {what}")
    try:
        one, other = (dates.parse(text, default=unsaid, dayfirst=dayfirst) for unsaid in _UNSAID)
    except (ValueError, OverflowError, TypeError):
        raise SlotValueError(f"{_shown(text)} is not a {what}") from None
    parts = ("year", "month", "day", "hour", "minute")
    return {
        part: getattr(one, part) for part in parts if getattr(one, part) == getattr(other, part)
    }


def _read_email(text: str) -> str:
    try:
        return validate_email(text, check_deliverability=False).normalized
    except EmailNotValidError:
        raise SlotValueError(f"{_shown(text)} is not an e-mail address") from None


def _read_url(text: str) -> str:
    whole = text if "://" in text else f"https://{text}"
    try:
        host = _URL.validate_python(whole).host or ""
    except ValidationError:
        host = ""
    if "." not in host or any(sign.isspace() for sign in text):
        raise SlotValueError(f"{_shown(text)} is not a web address")
    return whole


def _check_text(slot: "Parameter", text: str) -> str:
    if slot.max_length is not None and len(text) > slot.max_length:
        raise SlotValueError(f"{_shown(text)} is longer than {slot.max_length} characters")
    if slot.pattern is not None and not compile_pattern(slot.pattern).is_whole(text):
        raise SlotValueError(f"{_shown(text)} does not have the expected form ({slot.pattern})")
    return text


def _shown(value: object) -> str:
    text = str(value)
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…")
