"""Rows as CSV (RFC 4180) that a spreadsheet opens without running anything in it."""

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

_FORMULA_SIGNS = tuple("=+-@\t\r\n＝＋－＠")  # noqa: RUF001 - the wide ones count too


def write_csv_rows(rows: Iterable[Sequence[Any]]) -> str:
    """Return rows as text. Numbers, truth values and times are plain; no value is empty.

    A text that a spreadsheet would take for a formula gets an apostrophe before it.
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
    # Half a surrogate pair and NUL are legal in a tape, and in no CSV.
    plain = text.encode("utf-8", "replace").decode().replace("\x00", "")
    return f"'{plain}" if plain.lstrip(" ").startswith(_FORMULA_SIGNS) else plain
