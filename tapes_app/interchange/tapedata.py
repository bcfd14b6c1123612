"""`tapedata.sqlite`: rows of LLM calls and tapes, read from a database that may be hostile.

A row keeps every column as the file has it; `tapeagents.py` interprets the columns.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, Literal

from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.engine.plain_json import dump_json_text
from tapes_app.interchange.json_reader import parse_json_text
from tapes_app.interchange.packed_files import is_packed, open_unpacked
from tapes_app.interchange.refusals import FormatProblem, ImportLimits, NoTapeProblem
from tapes_app.interchange.values import check_value, plain_number

TableName = Literal["LLMCalls", "Tapes"]

# The names and the order of the columns are the format; old files lack the last two.
CALL_COLUMNS = (
    "prompt_id",
    "timestamp",
    "prompt",
    "output",
    "prompt_length_tokens",
    "output_length_tokens",
    "cached",
    "llm_info",
    "cost",
)
OLD_CALL_COLUMNS = CALL_COLUMNS[:7]
TAPE_COLUMNS = ("tape_id", "timestamp", "length", "metadata", "context", "steps")
_COLUMN_TYPES = {
    "LLMCalls": ("TEXT PRIMARY KEY", *["TEXT"] * 3, *["INTEGER"] * 3, "TEXT", "REAL"),
    "Tapes": ("TEXT PRIMARY KEY", "TEXT", "INTEGER", *["TEXT"] * 3),
}
_JSON_COLUMNS = {"prompt", "output", "llm_info", "metadata", "context", "steps"}
_REQUIRED: dict[TableName, tuple[str, ...]] = {
    "LLMCalls": OLD_CALL_COLUMNS,
    "Tapes": TAPE_COLUMNS,
}
_OPERATIONS_PER_TICK = 1_000_000
_MAX_TICKS_BETWEEN_ROWS = 500
_ROWS_AT_ONCE = 50


class SourceRow(FrozenModel):
    """One row of a table, by column; JSON columns are parsed, all others are as stored."""

    table: TableName
    number: int
    columns: dict[str, Any]


def read_rows(path: Path, limits: ImportLimits) -> Iterator[SourceRow]:
    """Yield the rows of both tables in the order in which they were written.

    Raises:
        FormatProblem: the file is damaged, or is another program's database.
    """
    with _plain_copy(path, limits) as plain, closing(_open(plain, limits)) as connection:
        try:
            tables = _list_tables(connection)
            for table, columns in tables.items():
                yield from _read_table(connection, table, columns, limits)
        except sqlite3.Error as error:
            raise FormatProblem(
                "the SQLite database is corrupt, or took too long to read"
            ) from error


@contextmanager
def _plain_copy(path: Path, limits: ImportLimits) -> Iterator[Path]:
    if Path(f"{path}-wal").is_file() and Path(f"{path}-wal").stat().st_size > 0:
        raise FormatProblem("another program is still writing to it; close that program first")
    with open_unpacked(path, limits) as reader:  # refuses links and irregular files
        if not is_packed(path):
            if path.stat().st_size > limits.max_unpacked_bytes:
                raise FormatProblem(f"it is larger than {limits.max_unpacked_bytes:,} bytes")
            yield path
            return
        with NamedTemporaryFile(prefix="tapedata-", suffix=".sqlite") as copy:
            for chunk in reader.chunks():
                copy.write(chunk)
            copy.flush()
            yield Path(copy.name)


def _open(path: Path, limits: ImportLimits) -> sqlite3.Connection:
    # `immutable` takes no locks and ignores journals: nothing is written next to the file.
    uri = f"{path.resolve().as_uri()}?mode=ro&immutable=1"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, min(limits.max_tape_bytes, 2**31 - 1))
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    connection.execute("PRAGMA query_only = ON")
    connection.set_authorizer(_authorize)
    return connection


def _authorize(action: int, *_: str | None) -> int:
    allowed = action in (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ)
    return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY


def _list_tables(connection: sqlite3.Connection) -> dict[TableName, tuple[str, ...]]:
    names: set[str] = set()
    for kind, name, sql in connection.execute("SELECT type, name, sql FROM sqlite_master"):
        if kind in {"view", "trigger"}:
            raise FormatProblem(f"the database has a {kind}; only plain tables are supported")
        if kind == "table" and str(sql or "").upper().startswith("CREATE VIRTUAL"):
            raise FormatProblem("the database has a virtual table; only plain tables are supported")
        if kind == "table" and " GENERATED " in f" {sql} ".upper() and name in _REQUIRED:
            raise FormatProblem("a table has computed columns; only plain tables are supported")
        if kind == "table":
            names.add(str(name))
    found: dict[TableName, tuple[str, ...]] = {}
    for table, required in _REQUIRED.items():
        if table not in names:
            continue
        cursor = connection.execute(f"SELECT * FROM {table} LIMIT 0")  # noqa: S608 - our names
        columns = tuple(column[0] for column in cursor.description)
        missing = [name for name in required if name not in columns]
        if missing:
            raise FormatProblem(f"table {table} is missing the column {missing[0]!r}")
        found[table] = columns
    if not found:
        raise NoTapeProblem("the database has neither a table LLMCalls nor a table Tapes")
    return found


def _read_table(
    connection: sqlite3.Connection, table: TableName, columns: tuple[str, ...], limits: ImportLimits
) -> Iterator[SourceRow]:
    watch = _Watch()
    connection.set_progress_handler(watch.tick, _OPERATIONS_PER_TICK)
    number = 0
    try:
        # No ORDER BY: a damaged file's index must not decide which rows there are.
        cursor = connection.execute(f"SELECT * FROM {table}")  # noqa: S608 - our names
        while rows := cursor.fetchmany(_ROWS_AT_ONCE):
            for cells in rows:
                number += 1
                yield _read_row(table, number, dict(zip(columns, cells, strict=True)), limits)
            watch.reset()
    except sqlite3.Error as error:
        raise FormatProblem(
            f"table {table} cannot be read completely: the database is corrupt",
            position=f"after row {number}",
        ) from error


class _Watch:
    """Stops a query that loops forever, which a crafted file can cause."""

    def __init__(self) -> None:
        self._ticks = 0

    def tick(self) -> int:
        self._ticks += 1
        return int(self._ticks > _MAX_TICKS_BETWEEN_ROWS)

    def reset(self) -> None:
        self._ticks = 0


def _read_row(
    table: TableName, number: int, cells: dict[str, Any], limits: ImportLimits
) -> SourceRow:
    columns: dict[str, Any] = {}
    for name, cell in cells.items():
        try:
            columns[name] = _read_cell(name, cell)
            check_value(columns[name], limits)
        except FormatProblem as problem:
            raise problem.inside(f"table {table}, row {number}, column {name[:50]}") from problem
    return SourceRow(table=table, number=number, columns=columns)


def _read_cell(name: str, cell: Any) -> Any:
    if isinstance(cell, bytes):
        raise FormatProblem("a cell contains bytes instead of text")
    if name in _JSON_COLUMNS and cell is not None:
        if not isinstance(cell, str):
            raise FormatProblem("a cell is not JSON text")
        return parse_json_text(cell)
    return plain_number(cell) if isinstance(cell, float) else cell


def append_rows(path: Path, rows: Iterable[SourceRow]) -> list[SourceRow]:
    """Add rows to a database; create it, with both tables, if it does not exist.

    Its table of calls has the columns of old files until a row needs the others. Returns the rows
    whose key is already in their table: they belong in another database. JSON is written without
    spaces, as the tools that use this format write it.
    """
    with closing(sqlite3.connect(path)) as connection, connection:
        # After a machine failure during the export, it is started over anyway.
        connection.execute("PRAGMA synchronous = OFF")
        _make_table(connection, "LLMCalls", OLD_CALL_COLUMNS)
        _make_table(connection, "Tapes", TAPE_COLUMNS)
        has_new = _has_new_columns(connection)
        doubled: list[SourceRow] = []
        for row in rows:
            if not has_new and (row.table == "Tapes" or not _NEW_COLUMNS.isdisjoint(row.columns)):
                has_new = True
                for column in _columns_of("LLMCalls", CALL_COLUMNS)[len(OLD_CALL_COLUMNS) :]:
                    connection.execute(f"ALTER TABLE LLMCalls ADD COLUMN {column}")
            if not _insert(connection, row, has_new_columns=has_new):
                doubled.append(row)
    return doubled


_NEW_COLUMNS = frozenset(CALL_COLUMNS) - frozenset(OLD_CALL_COLUMNS)


def _make_table(connection: sqlite3.Connection, table: TableName, names: Sequence[str]) -> None:
    columns = ", ".join(_columns_of(table, names))
    connection.execute(f"CREATE TABLE IF NOT EXISTS {table} ({columns})")


def _columns_of(table: TableName, names: Sequence[str]) -> list[str]:
    return [" ".join(pair) for pair in zip(names, _COLUMN_TYPES[table], strict=False)]


def _has_new_columns(connection: sqlite3.Connection) -> bool:
    known = connection.execute("SELECT name FROM pragma_table_info('LLMCalls')")
    return not _NEW_COLUMNS.isdisjoint(name for (name,) in known)


def _insert(connection: sqlite3.Connection, row: SourceRow, *, has_new_columns: bool) -> bool:
    of_calls = CALL_COLUMNS if has_new_columns else OLD_CALL_COLUMNS
    names = of_calls if row.table == "LLMCalls" else TAPE_COLUMNS
    marks = ", ".join("?" * len(names))
    done = connection.execute(
        f"INSERT OR IGNORE INTO {row.table} ({', '.join(names)}) VALUES ({marks})",  # noqa: S608
        [_write_cell(name, row.columns.get(name)) for name in names],
    )
    return done.rowcount == 1


def _write_cell(name: str, value: Any) -> Any:
    if name not in _JSON_COLUMNS or (value is None and name != "context"):
        return value
    separators = (", ", ": ") if name == "llm_info" else (",", ":")
    return dump_json_text(value, separators=separators)
