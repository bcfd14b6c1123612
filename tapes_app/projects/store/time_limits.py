"""A time limit for statements that would keep a person waiting, however large the library is."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import OperationalError, connection, transaction

from tapes_app.engine.errors import InvalidInputError

LONGEST_SECONDS = 25.0
"""Longer than a search takes that watches its own time."""

_INSTRUCTIONS = 50_000
"""How many instructions SQLite runs between checks of the clock."""

_CANCELLED = "57014"


@contextmanager
def limited(seconds: float = LONGEST_SECONDS) -> Iterator[None]:
    """Interrupt the database's work after some time; for reading only.

    SQLite counts all statements together, PostgreSQL each one separately.

    Raises:
        InvalidInputError: the time ran out.
    """
    try:
        with _limited_sqlite(seconds) if connection.vendor == "sqlite" else _limited(seconds):
            yield
    except OperationalError as error:
        if not _is_interrupted(error):
            raise
        raise InvalidInputError(
            f"This took longer than {seconds:.0f} seconds; narrow the list, for example by batch "
            "or with created>7d."
        ) from error


@contextmanager
def _limited_sqlite(seconds: float) -> Iterator[None]:
    connection.ensure_connection()
    sqlite = connection.connection
    deadline = time.monotonic() + seconds
    sqlite.set_progress_handler(lambda: time.monotonic() > deadline, _INSTRUCTIONS)
    try:
        yield
    finally:
        sqlite.set_progress_handler(None, _INSTRUCTIONS)


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    is_inner = connection.in_atomic_block
    with transaction.atomic(), connection.cursor() as cursor:
        milliseconds = max(1, round(seconds * 1000))
        cursor.execute("SELECT set_config('statement_timeout', %s, true)", [str(milliseconds)])
        yield
        if is_inner:
            # The transaction around this one continues without the limit.
            cursor.execute("SET LOCAL statement_timeout TO DEFAULT")


def _is_interrupted(error: OperationalError) -> bool:
    cause = error.__cause__
    return getattr(cause, "sqlstate", None) == _CANCELLED or str(cause) == "interrupted"
