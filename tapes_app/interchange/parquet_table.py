"""Rows as Parquet with typed columns, written a row group at a time."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, BinaryIO, Literal, NamedTuple

ROWS_OF_GROUP = 5_000
"""As many rows are in memory at once."""

ColumnType = Literal["text", "integer", "number", "truth", "time", "texts"]


class TypedColumn(NamedTuple):
    name: str
    type: ColumnType


def write_parquet(
    file: BinaryIO, columns: Sequence[TypedColumn], rows: Iterable[Sequence[Any]]
) -> None:
    """Write rows, each with a value or `None` for every column. Times are in UTC."""
    # Large, and needed for nothing else: loaded when somebody exports so.
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
    """Return a cell as Parquet holds it: half a surrogate pair is legal in a tape alone."""
    if isinstance(cell, str):
        return cell.encode("utf-8", "replace").decode()
    if isinstance(cell, tuple):
        return [_plain(one) for one in cell]
    return cell
