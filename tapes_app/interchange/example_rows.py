"""Rows of a file of examples, one after the other: JSON Lines, CSV or Parquet.

A row that cannot be read says why and the next one goes on; a file that cannot be read at all is a
`FormatProblem`. As much of a file is in memory as one row may be long.
"""

import csv
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from tapes_app.interchange.json_reader import parse_json_text
from tapes_app.interchange.limits import DEFAULT_LIMITS, MEBIBYTE, ImportLimits
from tapes_app.interchange.packed_files import LimitedReader, open_unpacked
from tapes_app.interchange.parquet_rows import PARQUET_MAGIC, read_parquet_rows
from tapes_app.interchange.refusals import FormatProblem
from tapes_app.interchange.values import check_value

LONGEST_ROW = MEBIBYTE
MOST_ROWS = 100_000
MOST_COLUMNS = 500

RowFormat = Literal["jsonl", "csv", "parquet"]

NOT_TEXT = "it is not UTF-8 text"
TOO_LARGE = f"it is larger than {LONGEST_ROW:,} bytes"

_MARK = b"\xef\xbb\xbf"
_SEPARATORS = ",;\t"

# Of the whole process, which reads CSV here alone: a cell is no longer than its row may be.
csv.field_size_limit(LONGEST_ROW)


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a file, or why it is none."""

    number: int
    """From 1, without a header."""

    values: dict[str, Any]
    problem: str = ""
    """A clause; empty: it was read."""

    size: int = 0
    """About how many bytes it has."""


def find_format(path: Path, name: str, limits: ImportLimits = DEFAULT_LIMITS) -> RowFormat:
    """Return what the rows of a file are written in, by its bytes and its ending.

    Raises:
        FormatProblem: it is empty, or something else.
    """
    with open_unpacked(path, limits) as reader:
        head = reader.read(4096)
    if head.startswith(PARQUET_MAGIC):
        return "parquet"
    plain = head.removeprefix(_MARK).lstrip()
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
        raise FormatProblem("its first line is no JSON object")
    return "csv"


def read_rows(
    path: Path, name: str, *, limits: ImportLimits = DEFAULT_LIMITS, most: int = MOST_ROWS
) -> Iterator[Row]:
    """Give the rows of a file.

    Raises:
        FormatProblem: the file cannot be read, or has more rows than that.
    """
    with _open_rows(path, name, limits) as rows:
        for row in rows:
            if row.number > most:
                raise FormatProblem(f"it has more than {most:,} rows; split it")
            yield row


@contextmanager
def _open_rows(path: Path, name: str, limits: ImportLimits) -> Iterator[Iterator[Row]]:
    match find_format(path, name, limits):
        case "parquet":
            found = read_parquet_rows(path, longest=LONGEST_ROW, most_columns=MOST_COLUMNS)
            yield (
                Row(number, values, problem, size)
                for number, (values, problem, size) in enumerate(found, start=1)
            )
        case "jsonl":
            with open_unpacked(path, limits) as reader:
                yield _read_json_lines(reader, limits)
        case "csv":
            with open_unpacked(path, limits) as reader:
                yield _read_csv(reader, name)


def _read_json_lines(reader: LimitedReader, limits: ImportLimits) -> Iterator[Row]:
    lines = (line for line in _lines(reader) if line is None or line.strip())
    for number, line in enumerate(lines, start=1):
        try:
            yield Row(number, _read_object(line, limits), size=len(line or b""))
        except FormatProblem as problem:
            yield Row(number, {}, problem.reason)


def _read_object(line: bytes | None, limits: ImportLimits) -> dict[str, Any]:
    if line is None:
        raise FormatProblem(TOO_LARGE)
    try:
        value = parse_json_text(line.decode())
    except UnicodeDecodeError as error:
        raise FormatProblem(NOT_TEXT) from error
    if not isinstance(value, dict):
        raise FormatProblem("it is no JSON object")
    check_value(value, limits)
    return value


def _read_csv(reader: LimitedReader, name: str) -> Iterator[Row]:
    lines = _text_lines(reader)
    header_line = next(lines, "")
    separator = "\t" if ".tsv" in name.lower() else _find_separator(header_line)
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
        raise FormatProblem("two columns have one name", position="line 1")


def _find_separator(line: str) -> str:
    return max(_SEPARATORS, key=line.count)


def _text_lines(reader: LimitedReader) -> Iterator[str]:
    """Give lines as text; bytes that are no UTF-8 come as halves of surrogate pairs."""
    for number, line in enumerate(_lines(reader), start=1):
        if line is None:
            raise FormatProblem(
                f"a line is larger than {LONGEST_ROW:,} bytes", position=str(number)
            )
        text = line.decode("utf-8", "surrogateescape")
        yield text.removeprefix("\ufeff") if number == 1 else text


def _is_broken(text: str) -> bool:
    return any("\ud800" <= sign <= "\udfff" for sign in text) if not text.isascii() else False


def _lines(reader: LimitedReader) -> Iterator[bytes | None]:
    """Give the lines of a file with their ends; `None` for one that is too long."""
    kept = bytearray()
    is_too_long = False
    for chunk in reader.chunks():
        *whole, rest = chunk.split(b"\n")
        for part in whole:
            is_too_long = is_too_long or len(kept) + len(part) > LONGEST_ROW
            yield None if is_too_long else bytes(kept) + part + b"\n"
            kept.clear()
            is_too_long = False
        is_too_long = is_too_long or len(kept) + len(rest) > LONGEST_ROW
        if not is_too_long:
            kept += rest
    if kept or is_too_long:
        yield None if is_too_long else bytes(kept)
