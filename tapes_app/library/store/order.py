"""Orders of lists of tapes: the column to sort by, and a cursor that marks where a page ended.

A page continues from a value and an id, never from an offset, so that a tape is shown only once
however many are added or removed in the meantime. Tapes without a value come last in both
directions, on every database: they form a second part of the list, read after the first is
exhausted.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from django.db.models import F, Q, QuerySet

from tapes_app.engine.errors import InvalidInputError
from tapes_app.models import TapeRecord
from tapes_app.projects.domain.columns import fit_text

NEWEST_FIRST = "-created"
_SEPARATOR = "~"
_INT64 = range(-(2**63), 2**63)

Value = int | float | str | datetime | None
Kind = Literal["number", "real", "text", "moment"]


@dataclass(frozen=True, slots=True)
class _Column:
    """A column that a list can be ordered by."""

    field: str
    kind: Kind
    lacking: tuple[str, object] | None = None
    """The column, and its content for a tape without a value; `None` if all tapes have a value."""

    def value_of(self, row: Mapping[str, Any]) -> Value:
        """Return a tape's value, `None` if it has none."""
        if self.lacking is not None and row[self.lacking[0]] == self.lacking[1]:
            return None
        value: Value = row[self.field]
        return value


def _text(field: str) -> _Column:
    return _Column(field, "text", lacking=(field, ""))


def _of_calls(field: str) -> _Column:
    """Return the column of a number that only tapes with known LLM calls have."""
    return _Column(field, "number", lacking=("llm_call_count", 0))


_COLUMNS = {
    "created": _Column("created_at", "moment"),
    "updated": _Column("updated_at", "moment"),
    "title": _text("title"),
    "agent": _text("agent_name"),
    "batch": _Column("batch_name", "text", lacking=("batch_id", None)),
    "author": _text("author"),
    "task": _text("task"),
    # As much of an answer as a list shows; longer answers are not ordered by the rest.
    "expected": _text("expected_excerpt"),
    "actual": _text("actual_excerpt"),
    "outcome": _text("outcome"),
    "score": _Column("score", "real", lacking=("score", None)),
    "steps": _Column("step_count", "number"),
    "errors": _Column("error_count", "number"),
    "calls": _Column("llm_call_count", "number"),
    "tokens": _of_calls("token_count"),
    "input": _of_calls("input_tokens"),
    "cache": _of_calls("cache_read_tokens"),
    "output": _of_calls("output_tokens"),
    "cost": _of_calls("cost_micro_usd"),
    "duration": _Column("duration_seconds", "real", lacking=("duration_seconds", 0)),
}
SORT_NAMES = tuple(_COLUMNS)


@dataclass(frozen=True, slots=True)
class TapeOrder:
    """An order by a column, and by id among equals; both in the same direction."""

    name: str
    is_descending: bool

    @property
    def column(self) -> _Column:
        return _COLUMNS[self.name]

    def __str__(self) -> str:
        return f"-{self.name}" if self.is_descending else self.name


@dataclass(frozen=True, slots=True)
class _PageEnd:
    """The last row of a page."""

    value: Value
    row_id: UUID


def read_order(text: str) -> TapeOrder:
    """Return the order that a request names: a column, with "-" before it for descending.

    Raises:
        InvalidInputError: there is no such column.
    """
    sort = text or NEWEST_FIRST
    name = sort.removeprefix("-")
    if name not in _COLUMNS:
        raise InvalidInputError(
            f"Lists cannot be sorted by {fit_text(name, 40)!r}; choose one of "
            f"{', '.join(SORT_NAMES)}.",
            sort=fit_text(name, 40),
        )
    return TapeOrder(name, is_descending=sort.startswith("-"))


def read_page(
    tapes: QuerySet[TapeRecord, dict[str, Any]], order: TapeOrder, after: str | None, limit: int
) -> tuple[list[dict[str, Any]], str | None]:
    """Return the tapes of a page and the cursor of the next one, `None` at the end.

    The columns of `tapes` must include the id and the column that the list is ordered by.

    Raises:
        InvalidInputError: `after` is not a cursor of this order.
    """
    place = _read_cursor(order, after) if after else None
    if order.name == "tokens":
        tapes = tapes.annotate(token_count=F("input_tokens") + F("output_tokens"))
    found: list[dict[str, Any]] = []
    for part, names in _parts(order, place):
        if len(found) <= limit:
            missing = limit + 1 - len(found)
            found += tapes.filter(part).order_by(*names)[:missing]
    page = found[:limit]
    return page, _write_cursor(order, page[-1]) if len(found) > limit else None


def _parts(order: TapeOrder, place: _PageEnd | None) -> list[tuple[Q, list[str]]]:
    """Return the parts of the list that are still to be read, with the ordering of each."""
    sign = "-" if order.is_descending else ""
    field = order.column.field
    by_value = [f"{sign}{field}", f"{sign}id"]
    if order.column.lacking is None:
        return [(_after(order, place), by_value)]
    has_value, has_none = _by_lack(*order.column.lacking)
    if place is not None and place.value is None:
        return [(has_none & _after_id(order, place.row_id), [f"{sign}id"])]
    return [(has_value & _after(order, place), by_value), (has_none, [f"{sign}id"])]


def _by_lack(field: str, nothing: object) -> tuple[Q, Q]:
    """Return the conditions for tapes with a value, and for those without."""
    if nothing is None:
        # Written this way, a partial index serves it; a negated "is null" would not use the index.
        return Q(**{f"{field}__isnull": False}), Q(**{f"{field}__isnull": True})
    return ~Q(**{field: nothing}), Q(**{field: nothing})


def _after(order: TapeOrder, place: _PageEnd | None) -> Q:
    if place is None:
        return Q()
    field, beyond = order.column.field, "lt" if order.is_descending else "gt"
    # Only the first half gives an index a place to start from.
    return Q(**{f"{field}__{beyond}e": place.value}) & (
        Q(**{f"{field}__{beyond}": place.value}) | _after_id(order, place.row_id)
    )


def _after_id(order: TapeOrder, row_id: UUID) -> Q:
    return Q(id__lt=row_id) if order.is_descending else Q(id__gt=row_id)


def _write_cursor(order: TapeOrder, last: Mapping[str, Any]) -> str:
    value = order.column.value_of(last)
    text = value.isoformat() if isinstance(value, datetime) else "" if value is None else value
    return _SEPARATOR.join((str(order), str(text), last["id"].hex))


def _read_cursor(order: TapeOrder, cursor: str) -> _PageEnd:
    named, _, rest = cursor.partition(_SEPARATOR)
    value_text, _, id_text = rest.rpartition(_SEPARATOR)
    if named != str(order):
        raise InvalidInputError(_NO_PAGE)
    try:
        return _PageEnd(_read_value(order.column, value_text), UUID(id_text))
    except ValueError as error:
        raise InvalidInputError(_NO_PAGE) from error


def _read_value(column: _Column, text: str) -> Value:
    if column.lacking is not None and not text:
        return None
    match column.kind:
        case "text":
            return _checked(text, is_good=fit_text(text, len(text)) == text)
        case "number":
            number = int(text)
            return _checked(number, is_good=number in _INT64)
        case "real":
            real = float(text)
            return _checked(real, is_good=math.isfinite(real))
        case "moment":
            moment = datetime.fromisoformat(text)
            return _checked(moment, is_good=moment.tzinfo is not None)


def _checked(value: Value, *, is_good: bool) -> Value:
    if not is_good:
        raise ValueError(_NO_PAGE)
    return value


_NO_PAGE = "This page of the list does not exist; start again without 'after'."
