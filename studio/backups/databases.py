"""Copying the database while others write to it, and restoring a copy."""

import sqlite3
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from shutil import which
from urllib.parse import quote

from django.db import connection, transaction

from studio.backups.manifest import BackupError
from studio.databases import describe_server
from studio.env import child_environment

Copy = Callable[[Path], None]
"""Writes a copy of the database, and checks that it is intact."""

_PATIENCE_SECONDS = 60.0


def measure_database() -> int:
    """Return the maximum size in bytes of a copy of the database."""
    if connection.vendor == "sqlite":
        path = Path(connection.settings_dict["NAME"])
        wal = path.with_name(f"{path.name}-wal")
        return path.stat().st_size + (wal.stat().st_size if wal.exists() else 0)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        return int(cursor.fetchone()[0])


@contextmanager
def database_moment() -> Iterator[Copy]:
    """Hold a snapshot of the database, and provide a function that copies it as it was then.

    Raises:
        BackupError: it is damaged, or cannot be read.
    """
    if connection.vendor == "sqlite":
        with _moment_of_sqlite(Path(connection.settings_dict["NAME"])) as copy:
            yield copy
    else:
        with _moment_of_postgres() as copy:
            yield copy


@contextmanager
def _moment_of_sqlite(source: Path) -> Iterator[Copy]:
    def copy_to(target: Path) -> None:
        target.touch(mode=0o600)
        with closing(sqlite3.connect(target)) as copy:
            theirs.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")
            (found,) = copy.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            raise BackupError(
                f"The database {source} is damaged ({found}); a copy of it would be no backup."
            )

    try:
        with closing(_open_sqlite(source)) as theirs:
            # In WAL mode readers block nobody, and this one sees the database as of its first read.
            theirs.execute("BEGIN")
            theirs.execute("SELECT count(*) FROM sqlite_master").fetchone()
            yield copy_to
    except sqlite3.Error as error:
        raise BackupError(f"The database {source} cannot be copied: {error}.") from error


def can_dump_postgres() -> bool:
    return which("pg_dump") is not None


def restore_postgres(dump: Path, *, replaces: bool) -> None:
    """Restore a dump in one transaction: all of it, or nothing.

    Raises:
        BackupError: the server refused it, or there is no `pg_restore`.
    """
    options = ["--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges"]
    options += ["--clean", "--if-exists"] if replaces else []
    _run("pg_restore", [*options, str(dump)])


def _open_sqlite(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(
        f"file:{quote(str(path))}?mode=ro",
        uri=True,
        timeout=_PATIENCE_SECONDS,
        isolation_level=None,
    )


@contextmanager
def _moment_of_postgres() -> Iterator[Copy]:
    def copy_to(target: Path) -> None:
        options = ["--format=custom", "--compress=0", "--no-owner", "--no-privileges"]
        target.touch(mode=0o600)
        _run("pg_dump", [*options, f"--snapshot={snapshot}", f"--file={target}"])

    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        cursor.execute("SELECT pg_export_snapshot()")
        (snapshot,) = cursor.fetchone()
        # A copy of a large database takes longer than a transaction may otherwise be idle.
        cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
        yield copy_to


def _run(program: str, options: Sequence[str]) -> None:
    """Run a PostgreSQL program on the studio's database; the password is not an argument."""
    path = which(program)
    if path is None:
        raise BackupError(
            f"The program {program!r} is not here; install the client programs of PostgreSQL, in "
            "the version of the server or a newer one."
        )
    settings = connection.settings_dict
    secret = {"PGPASSWORD": settings["PASSWORD"]} if settings["PASSWORD"] else {}
    ended = subprocess.run(  # noqa: S603 - a program of PostgreSQL, found by its name
        [path, f"--dbname={describe_server(settings)}", *options],
        env=child_environment(**secret),
        capture_output=True,
        text=True,
        check=False,
    )
    if ended.returncode:
        lines = ended.stderr.strip().splitlines() or [f"exit status {ended.returncode}"]
        raise BackupError(f"{program} failed: {lines[0]}")
