"""Inserts many rows in one go, in fewer and longer statements than `bulk_create` uses.

For PostgreSQL it uses COPY, which is as fast for a single row. For SQLite it uses statements with
many rows: after each statement, its full-text index stores the new content as a separate segment,
and small segments are merged again and again.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from typing import Any

from django.db import connection, models

from tapes_app.models.json_text import JsonTextField

Row = Sequence[Any]
_Convert = Callable[[Any], Any]

_MOST_VALUES = 32_766
"""SQLite's limit of values per statement, unless it was built with a different one."""

_MOST_ROWS = 1_000


def insert_rows(model: type[models.Model], names: Sequence[str], rows: Iterable[Row]) -> None:
    """Insert rows; `names` lists the model's attributes in the order of the rows' values.

    Attributes not named get the database's default, not Django's; ids stay unknown here.

    Raises:
        IntegrityError: a row breaks a constraint. Rows before it may be inserted already: call this
            in a transaction.
    """
    by_name = {field.attname: field for field in model._meta.concrete_fields}
    fields = [by_name[name] for name in names]
    columns = ", ".join(connection.ops.quote_name(str(field.column)) for field in fields)
    into = f"{connection.ops.quote_name(model._meta.db_table)} ({columns})"
    prepared = _prepare(fields, rows)
    if connection.vendor == "postgresql":
        _copy(into, prepared)
    else:
        _insert(into, len(fields), prepared)


def insert_records(records: Sequence[models.Model]) -> None:
    """Insert models of one kind that already have their keys."""
    if not records:
        return
    model = type(records[0])
    fields = model._meta.concrete_fields
    rows = [[field.pre_save(record, add=True) for field in fields] for record in records]
    insert_rows(model, [field.attname for field in fields], rows)


def _copy(into: str, rows: Iterator[Row]) -> None:
    with (
        connection.wrap_database_errors,
        connection.cursor() as cursor,
        cursor.copy(f"COPY {into} FROM STDIN") as copy,
    ):
        for row in rows:
            copy.write_row(row)


def _insert(into: str, width: int, rows: Iterator[Row]) -> None:
    place = f"({', '.join(['%s'] * width)})"
    size = min(_MOST_ROWS, _MOST_VALUES // width)
    with connection.cursor() as cursor:
        while part := list(islice(rows, size)):
            places = ", ".join([place] * len(part))
            values = [value for row in part for value in row]
            cursor.execute(f"INSERT INTO {into} VALUES {places}", values)  # noqa: S608


def _prepare(fields: Sequence[Any], rows: Iterable[Row]) -> Iterator[Row]:
    """Yield the rows with values in the form that the driver accepts."""
    converts = [(at, convert) for at, field in enumerate(fields) if (convert := _convert_of(field))]
    for row in rows:
        values = list(row)
        for at, convert in converts:
            if values[at] is not None:
                values[at] = convert(values[at])
        yield values


def _convert_of(field: Any) -> _Convert | None:
    """Return the function that converts a column's values for the driver; `None` if none is needed.

    Asking each field for each value would take a third of an import's time.
    """
    while field.remote_field is not None:
        field = field.target_field
    if isinstance(field, JsonTextField):
        return field.get_prep_value
    if isinstance(field, _PLAIN):
        return None
    # Ids and moments: the same ones recur often.
    return cache(lambda value: field.get_db_prep_save(value, connection))


_PLAIN = (models.CharField, models.TextField, models.IntegerField, models.BooleanField,
          models.FloatField)  # fmt: skip
