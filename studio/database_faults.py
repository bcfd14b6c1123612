"""A database that does not answer or is damaged, reported in one sentence from anywhere."""

import logging
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import psycopg
from django.db import DatabaseError, InterfaceError, connection
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from studio.health import explain_database
from studio.space import NoSpaceError
from tapes_app.engine.errors import StudioError
from tapes_app.management.shell import first_line

logger = logging.getLogger(__name__)

GONE = "The database does not answer. What was stored is safe; try again in a minute."
_FULL_SERVER = "53100"
_FAULTS_OF_THE_FILE = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOTADB,
        sqlite3.SQLITE_READONLY,
    }
)
_CLASSES_OF_THE_SERVER = ("08", "53", "57P")
"""SQL states: no connection, no resources, shut down."""


class DatabaseUnusableError(StudioError):
    """The database does not answer, or is damaged."""

    code = "database_unavailable"
    status = 503


class DatabaseUnavailableMiddleware:
    """Answers pages with a sentence while the database is unavailable; the API has a handler."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not is_unavailable(error):
            return None
        log_unavailable(request, error)
        full = explain_full_disk(error)
        status = DatabaseUnusableError.status if full is None else NoSpaceError.status
        return render(request, "studio_message.html", {"message": full or GONE}, status=status)


def is_unavailable(error: Exception) -> bool:
    """Return whether the database is at fault, rather than the query."""
    if isinstance(error, InterfaceError):
        return True
    if not isinstance(error, DatabaseError):
        return False
    cause = error.__cause__
    if isinstance(cause, sqlite3.Error):
        code = getattr(cause, "sqlite_errorcode", 0) & 0xFF  # the other bits are the extended code
        # A database file that was moved away is created again, empty.
        return code in _FAULTS_OF_THE_FILE or str(cause).startswith("no such table")
    if isinstance(cause, psycopg.OperationalError):
        return cause.sqlstate is None or cause.sqlstate.startswith(_CLASSES_OF_THE_SERVER)
    return False


def explain_full_disk(error: BaseException) -> str | None:
    """Return which disk is full if the database says that one is; the database is well then."""
    cause = error.__cause__
    if getattr(cause, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL:
        where = "with the data folder of the studio"
    elif isinstance(cause, psycopg.Error) and cause.sqlstate == _FULL_SERVER:
        where = "of the database server"
    else:
        return None
    return f"The disk {where} is full, so nothing was stored. Try again when there is more space."


def log_unavailable(request: HttpRequest, error: Exception) -> None:
    """Log one line, instead of the same traceback for every request."""
    problem = explain_full_disk(error) or f"no database: {first_line(error)}"
    logger.error("%s %s: %s", request.method, request.path, problem)


@contextmanager
def explaining_database_errors() -> Iterator[None]:
    """Turn database failures into a sentence about why it cannot be used.

    Raises:
        DatabaseUnusableError: it cannot be used.
    """
    problem = explain_database()
    if problem is not None:
        raise DatabaseUnusableError(_explain(problem))
    try:
        yield
    except DatabaseError as error:
        message = explain_full_disk(error) or _explain(first_line(error))
        raise DatabaseUnusableError(message) from error


def _explain(problem: str) -> str:
    name = connection.settings_dict["NAME"]
    if connection.vendor == "postgresql":
        return (
            f"The database {name!r} of DATABASE_URL does not answer: {problem}. Start "
            "its server, or correct DATABASE_URL."
        )
    return (
        f"The database {name} cannot be used: {problem}. If the file is damaged, restore a backup "
        "(docs/operations.md)."
    )
