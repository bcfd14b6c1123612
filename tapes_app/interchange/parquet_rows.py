"""Rows of a Parquet file, one after the other; texts stay packed until their row is read."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tapes_app.interchange.limits import MEBIBYTE
from tapes_app.interchange.refusals import FormatProblem

PARQUET_MAGIC = b"PAR1"
_LARGEST_GROUP = 512 * MEBIBYTE
_AT_ONCE = 64


def read_parquet_rows(
    path: Path, *, longest: int, most_columns: int
) -> Iterator[tuple[dict[str, Any], str, int]]:
    """Give the cells of each row, why it is left out where it is, and about its size.

    Raises:
        FormatProblem: it is no Parquet file, or asks for too much memory.
    """
    # Large, and needed for nothing else: loaded when somebody brings such a file.
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(path, page_checksum_verification=True)
        _check_size(file, most_columns)
        texts = [field.name for field in file.schema_arrow if pa.types.is_string(field.type)]
        # A text that a million rows share is held once: as it is in the file.
        packed = pq.ParquetFile(path, read_dictionary=texts)
        for batch in packed.iter_batches(batch_size=_AT_ONCE):
            for at in range(batch.num_rows):
                yield _read_row(batch, at, longest)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise FormatProblem("it is no Parquet file that can be read") from error


def _check_size(file: Any, most_columns: int) -> None:
    if len(file.schema_arrow) > most_columns:
        raise FormatProblem(f"it has more than {most_columns} columns")
    metadata = file.metadata
    sizes = (metadata.row_group(at).total_byte_size for at in range(metadata.num_row_groups))
    if max(sizes, default=0) > _LARGEST_GROUP:
        raise FormatProblem(
            f"a row group is larger than {_LARGEST_GROUP:,} bytes; write it with smaller ones"
        )


def _read_row(batch: Any, at: int, longest: int) -> tuple[dict[str, Any], str, int]:
    values: dict[str, Any] = {}
    size = 0
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        try:
            cell = _plain(column[at].as_py())
        except UnicodeDecodeError:
            return {}, "it is not UTF-8 text", size
        size += len(cell) if isinstance(cell, str) else _size_of(cell)
        if size > longest:
            return {}, f"it is larger than {longest:,} bytes", size
        values[name] = cell
    return values, "", size


def _plain(cell: Any) -> Any:
    """Return a cell as JSON has it: times and decimals as text, bytes as nothing."""
    match cell:
        case None | bool() | int() | float() | str():
            return cell
        case dict():
            return {str(name): _plain(one) for name, one in cell.items()}
        case list():
            return [_plain(one) for one in cell]
        case bytes():
            return None
        case _:
            return str(cell)


def _size_of(cell: Any) -> int:
    match cell:
        case dict():
            return sum(len(name) + _size_of(one) for name, one in cell.items())
        case list():
            return sum(map(_size_of, cell))
        case str():
            return len(cell)
        case _:
            return 8
