"""Rows as table files: CSV (RFC 4180), and Parquet with typed columns.

A spreadsheet runs nothing in the CSV that it opens; Parquet is written a row group at a time.
"""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import islice
from typing import Any, BinaryIO, Literal, NamedTuple

ROWS_OF_GROUP = 5_000
"""How many rows of a Parquet file are in memory at once."""

ColumnType = Literal["text", "integer", "number", "truth", "time", "texts"]

_FORMULA_SIGNS = tuple("=+-@\t\r\n＝＋－＠")  # noqa: RUF001 - the wide ones count too
_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")


def write_csv_rows(rows: Iterable[Sequence[Any]]) -> str:
    """Return rows as text. Numbers, booleans and times are plain; `None` is an empty cell.

    A text that a spreadsheet would take for a formula is prefixed with an apostrophe; a number,
    as which it would read `-5`, is none.
    """
    written = io.StringIO()
    writer = csv.writer(written)
    for row in rows:
        writer.writerow([_write_cell(cell) for cell in row])
    return written.getvalue()


def _write_cell(cell: Any) -> str:
    match cell:
        case None:
            return ""
        case bool():
            return "true" if cell else "false"
        case int() | float():
            return str(cell)
        case datetime():
            return cell.isoformat(timespec="milliseconds")
        case _:
            return _guard(str(cell))


def _guard(text: str) -> str:
    # Lone surrogates and NUL are legal in a tape, but not in CSV.
    plain = text.encode("utf-8", "replace").decode().replace("\x00", "")
    is_formula = plain.lstrip(" ").startswith(_FORMULA_SIGNS) and not _NUMBER.fullmatch(plain)
    return f"'{plain}" if is_formula else plain


class TypedColumn(NamedTuple):
    name: str
    type: ColumnType


def write_parquet(
    file: BinaryIO, columns: Sequence[TypedColumn], rows: Iterable[Sequence[Any]]
) -> None:
    """Write rows, each with a value or `None` for every column. Times are in UTC."""
    # A large package needed for nothing else: loaded only for such an export.
    import pyarrow as pa
    import pyarrow.parquet as pq

    types = {
        "text": pa.string(),
        "integer": pa.int64(),
        "number": pa.float64(),
        "truth": pa.bool_(),
        "time": pa.timestamp("us", tz="UTC"),
        "texts": pa.list_(pa.string()),
    }
    schema = pa.schema([(column.name, types[column.type]) for column in columns])
    with pq.ParquetWriter(file, schema, compression="zstd") as writer:
        for group in _groups(rows):
            cells = zip(*group, strict=True)
            arrays = [
                pa.array([_plain(cell) for cell in column], type=field.type)
                for column, field in zip(cells, schema, strict=True)
            ]
            writer.write_table(pa.Table.from_arrays(arrays, schema=schema))


def _groups(rows: Iterable[Sequence[Any]]) -> Iterator[list[Sequence[Any]]]:
    source = iter(rows)
    while group := list(islice(source, ROWS_OF_GROUP)):
        yield group


def _plain(cell: Any) -> Any:
    """Return a cell as Parquet can hold it: a lone surrogate is only legal in a tape."""
    if isinstance(cell, str):
        return cell.encode("utf-8", "replace").decode()
    if isinstance(cell, tuple):
        return [_plain(one) for one in cell]
    return cell
