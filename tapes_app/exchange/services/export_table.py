"""The table of tapes in files: its columns with their types, and the cells of a row."""

from collections.abc import Sequence
from typing import Any, get_args

from tapes_app.exchange.services.export_request import CsvColumn
from tapes_app.interchange.table_files import ColumnType, TypedColumn
from tapes_app.tapes.domain.rows import TapeRow

_MICRO = 1_000_000

_TYPES: dict[CsvColumn, ColumnType] = {
    "steps": "integer",
    "errors": "integer",
    "has_error": "truth",
    "llm_calls": "integer",
    "input_tokens": "integer",
    "cache_read_tokens": "integer",
    "output_tokens": "integer",
    "cost_usd": "number",
    "score": "number",
    "duration_seconds": "number",
    "created_at": "time",
    "updated_at": "time",
    "is_pinned": "truth",
    "is_archived": "truth",
    "is_kept_from_training": "truth",
    "tags": "texts",
}
"""Types of the columns that are not text."""

_OTHER_NAMES: dict[CsvColumn, str] = {
    "agent": "agent_name",
    "batch": "batch_name",
    "steps": "step_count",
    "errors": "error_count",
}
_OF_CALLS = ("input_tokens", "cache_read_tokens", "output_tokens", "duration_seconds")


def choose_columns(wanted: Sequence[CsvColumn] | None) -> Sequence[CsvColumn]:
    return wanted or get_args(CsvColumn)


def type_column(column: CsvColumn) -> TypedColumn:
    return TypedColumn(column, _TYPES.get(column, "text"))


def read_cell(column: CsvColumn, row: TapeRow) -> Any:
    """Return a value of the column's type, or `None` if the tape has none."""
    totals = row.totals
    match column:
        case "id":
            return str(row.id)
        case "parent_id":
            return str(row.parent_id) if row.parent_id else None
        case "llm_calls":
            return totals.llm_call_count
        case "cost_usd":
            # The price of all of its calls is unknown, which is not a cost of zero.
            is_known = totals.unpriced_call_count < totals.llm_call_count
            return totals.cost_micro_usd / _MICRO if is_known else None
        case _ if column in _OF_CALLS:
            return getattr(totals, column) if totals.llm_call_count else None
        case _:
            return getattr(row, _OTHER_NAMES.get(column, column))


def write_cell(column: CsvColumn, row: TapeRow) -> Any:
    """Return the value as CSV shows it: money with all its digits, tags in one cell."""
    cell = read_cell(column, row)
    if column == "cost_usd" and cell is not None:
        return f"{cell:.6f}"
    return ", ".join(cell) if column == "tags" else cell
