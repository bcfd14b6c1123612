"""Rows of a file of examples, one by one: JSON Lines, CSV or Parquet.

An unreadable row reports its problem and reading continues; an unreadable file is a
`FormatProblem`. No more of a file is in memory than one row may take.
"""

import csv
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path
from typing import Any, Literal

from tapes_app.interchange.json_reader import parse_json_text
from tapes_app.interchange.packed_files import LimitedReader, open_unpacked
from tapes_app.interchange.refusals import DEFAULT_LIMITS, MEBIBYTE, FormatProblem, ImportLimits
from tapes_app.interchange.values import check_value, plain_number

LONGEST_ROW = MEBIBYTE
MOST_ROWS = 100_000
MOST_COLUMNS = 500

RowFormat = Literal["jsonl", "csv", "parquet"]

NOT_TEXT = "it is not UTF-8 text"
TOO_LARGE = f"it is larger than {LONGEST_ROW:,} bytes"

_PARQUET_MAGIC = b"PAR1"
_NOT_PARQUET = "it is not a readable Parquet file"
_LARGEST_GROUP = 512 * MEBIBYTE
_AT_ONCE = 64
_SEPARATORS = ",;\t"

# This is process-wide, and only this module reads CSV: a cell may be as long as its row.
csv.field_size_limit(LONGEST_ROW)


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a file, or why it could not be read."""

    number: int
    """Counted from 1, without a header."""

    values: dict[str, Any]
    problem: str = ""
    """A clause; empty if the row was read."""

    size: int = 0
    """Its approximate number of bytes."""


def find_format(path: Path, name: str, limits: ImportLimits = DEFAULT_LIMITS) -> RowFormat:
    """Return the format of a file's rows, judged from its bytes and its extension.

    Raises:
        FormatProblem: it is empty, or has another format.
    """
    with open_unpacked(path, limits) as reader:
        head = reader.read(4096)
    if head.startswith(_PARQUET_MAGIC):
        return "parquet"
    plain = head.lstrip()
    if not plain:
        raise FormatProblem("it is empty")
    if plain.startswith(b"{"):
        return "jsonl"
    if plain.startswith(b"["):
        raise FormatProblem("it is one JSON list; write JSON Lines, an object on each line")
    if b"\x00" in head:
        raise FormatProblem("it is neither JSON Lines, nor CSV, nor Parquet")
    ending = name.lower().removesuffix(".gz").rpartition(".")[2]
    if ending in {"jsonl", "ndjson", "json"}:
        raise FormatProblem("its first line is not a JSON object")
    return "csv"


def read_rows(
    path: Path, name: str, *, limits: ImportLimits = DEFAULT_LIMITS, most: int = MOST_ROWS
) -> Iterator[Row]:
    """Yield the rows of a file.

    Raises:
        FormatProblem: the file cannot be read, or has more than `most` rows.
    """
    with _open_rows(path, name, limits) as rows:
        for row in rows:
            if row.number > most:
                raise _too_many(most)
            yield row


def check_row_count(
    path: Path, name: str, *, limits: ImportLimits = DEFAULT_LIMITS, most: int = MOST_ROWS
) -> None:
    """Refuse a file of too many rows without reading what they hold, as far as that is possible.

    Raises:
        FormatProblem: it has more than `most` rows, or cannot be read.
    """
    if _count_rows(path, name, limits, most) > most:
        raise _too_many(most)


def _count_rows(path: Path, name: str, limits: ImportLimits, most: int) -> int:
    """Return the number of rows, or something above `most` for any number above it."""
    file_format = find_format(path, name, limits)
    if file_format == "parquet":
        return _count_in_parquet(path)
    with open_unpacked(path, limits) as reader:
        line_count = 1 + sum(chunk.count(b"\n") for chunk in reader.chunks())
    if line_count <= most:
        return line_count
    with open_unpacked(path, limits) as reader:
        rows: Iterator[Any] = (
            _read_csv(reader, name) if file_format == "csv" else _filled_lines(reader)
        )
        return sum(1 for _ in islice(rows, most + 1))


def _too_many(most: int) -> FormatProblem:
    return FormatProblem(f"it has more than {most:,} rows; split it")


@contextmanager
def _open_rows(path: Path, name: str, limits: ImportLimits) -> Iterator[Iterator[Row]]:
    match find_format(path, name, limits):
        case "parquet":
            yield _read_parquet(path)
        case "jsonl":
            with open_unpacked(path, limits) as reader:
                yield _read_json_lines(reader, limits)
        case "csv":
            with open_unpacked(path, limits) as reader:
                yield _read_csv(reader, name)


def _read_json_lines(reader: LimitedReader, limits: ImportLimits) -> Iterator[Row]:
    for number, line in enumerate(_filled_lines(reader), start=1):
        try:
            yield Row(number, _read_object(line, limits), size=len(line or b""))
        except FormatProblem as problem:
            yield Row(number, {}, problem.reason)


def _filled_lines(reader: LimitedReader) -> Iterator[bytes | None]:
    return (line for line in _lines(reader) if line is None or line.strip())


def _read_object(line: bytes | None, limits: ImportLimits) -> dict[str, Any]:
    if line is None:
        raise FormatProblem(TOO_LARGE)
    try:
        value = parse_json_text(line.decode())
    except UnicodeDecodeError as error:
        raise FormatProblem(NOT_TEXT) from error
    if not isinstance(value, dict):
        raise FormatProblem("it is not a JSON object")
    check_value(value, limits)
    return value


def _read_csv(reader: LimitedReader, name: str) -> Iterator[Row]:
    lines = _text_lines(reader)
    header_line = next(lines, "")
    separator = "\t" if ".tsv" in name.lower() else max(_SEPARATORS, key=header_line.count)
    try:
        header = next(csv.reader([header_line], delimiter=separator, strict=True))
        _check_header(header)
        cells = csv.reader(lines, delimiter=separator, strict=True)
        for number, row in enumerate(filter(None, cells), start=1):
            yield _csv_row(number, header, row)
    except csv.Error as error:
        raise FormatProblem(f"it is not valid CSV: {error}; is a quotation mark not closed?") from (
            error
        )


def _csv_row(number: int, header: list[str], cells: list[str]) -> Row:
    if len(cells) > len(header):
        return Row(number, {}, f"it has more cells than the header, which has {len(header)}")
    if any(map(_is_broken, cells)):
        return Row(number, {}, NOT_TEXT)
    return Row(number, dict(zip(header, cells, strict=False)), size=sum(map(len, cells)))


def _check_header(header: list[str]) -> None:
    if any(map(_is_broken, header)):
        raise FormatProblem(NOT_TEXT, position="line 1")
    if len(header) > MOST_COLUMNS:
        raise FormatProblem(f"it has more than {MOST_COLUMNS} columns")
    if len(set(header)) < len(header):
        raise FormatProblem("two columns have the same name", position="line 1")


def _text_lines(reader: LimitedReader) -> Iterator[str]:
    """Yield lines as text; bytes that are not UTF-8 become lone surrogates."""
    for number, line in enumerate(_lines(reader), start=1):
        if line is None:
            raise FormatProblem(
                f"a line is larger than {LONGEST_ROW:,} bytes", position=str(number)
            )
        yield line.decode("utf-8", "surrogateescape")


def _is_broken(text: str) -> bool:
    return any("\ud800" <= sign <= "\udfff" for sign in text) if not text.isascii() else False


def _lines(reader: LimitedReader) -> Iterator[bytes | None]:
    """Yield the lines of a file with their endings; `None` for a line that is too long."""
    kept = bytearray()
    is_too_long = False
    for chunk in reader.chunks():
        *lines, rest = chunk.split(b"\n")
        for part in lines:
            is_too_long = is_too_long or len(kept) + len(part) > LONGEST_ROW
            yield None if is_too_long else bytes(kept) + part + b"\n"
            kept.clear()
            is_too_long = False
        is_too_long = is_too_long or len(kept) + len(rest) > LONGEST_ROW
        if not is_too_long:
            kept += rest
    if kept or is_too_long:
        yield None if is_too_long else bytes(kept)


def _read_parquet(path: Path) -> Iterator[Row]:
    """Yield the rows one by one; texts stay packed until their row is read.

    Raises:
        FormatProblem: it is not a Parquet file, or requires too much memory.
    """
    # A large package needed for nothing else: loaded only to import such a file.
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(path, page_checksum_verification=True)
        _check_size(file)
        texts = [field.name for field in file.schema_arrow if pa.types.is_string(field.type)]
        # A text that a million rows share is held once, as it is in the file.
        packed = pq.ParquetFile(path, read_dictionary=texts)
        numbers = count(1)
        for batch in packed.iter_batches(batch_size=_AT_ONCE):
            for at in range(batch.num_rows):
                yield _read_parquet_row(next(numbers), batch, at)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise FormatProblem(_NOT_PARQUET) from error


def _count_in_parquet(path: Path) -> int:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return int(pq.read_metadata(path).num_rows)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise FormatProblem(_NOT_PARQUET) from error


def _check_size(file: Any) -> None:
    if len(file.schema_arrow) > MOST_COLUMNS:
        raise FormatProblem(f"it has more than {MOST_COLUMNS} columns")
    metadata = file.metadata
    sizes = (metadata.row_group(at).total_byte_size for at in range(metadata.num_row_groups))
    if max(sizes, default=0) > _LARGEST_GROUP:
        raise FormatProblem(
            f"a row group is larger than {_LARGEST_GROUP:,} bytes; write it with smaller ones"
        )


def _read_parquet_row(number: int, batch: Any, at: int) -> Row:
    values: dict[str, Any] = {}
    size = 0
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        try:
            cell = _plain(column[at].as_py())
        except UnicodeDecodeError:
            return Row(number, {}, NOT_TEXT, size)
        size += len(cell) if isinstance(cell, str) else _size_of(cell)
        if size > LONGEST_ROW:
            return Row(number, {}, TOO_LARGE, size)
        values[name] = cell
    return Row(number, values, size=size)


def _plain(cell: Any) -> Any:
    """Return a cell as a JSON value: times and decimals as text, bytes as `None`."""
    match cell:
        case None | bool() | int() | str():
            return cell
        case float():
            return plain_number(cell)
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
