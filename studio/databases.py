"""The database settings: SQLite in the data folder, or the server that DATABASE_URL names."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from psycopg.conninfo import make_conninfo

from studio.env import SettingError

# Measured with several concurrent writers: anything but WAL with IMMEDIATE transactions either
# fails with "database is locked" or is an order of magnitude slower.
_SQLITE_OPTIONS = {
    "timeout": 20,
    "transaction_mode": "IMMEDIATE",
    "init_command": (
        "PRAGMA journal_mode=WAL;PRAGMA synchronous=NORMAL;PRAGMA mmap_size=2147418112;"
        "PRAGMA cache_size=-65536;PRAGMA journal_size_limit=67108864;PRAGMA foreign_keys=ON;"
        "PRAGMA temp_store=MEMORY;"
    ),
}
# JIT-compiling a statement takes longer than running any of ours. And a process that is stopped, or
# a machine that is cut off, in the middle of a transaction would keep its locks until it is back.
_POSTGRES_OPTIONS = "-c jit=off -c idle_in_transaction_session_timeout=60s"
_POOL = {"min_size": 1, "max_size": 16, "timeout": 10}
_NOT_FOR_PROGRAMS = {"pool", "options"}


def build_database(url: str | None, data_dir: Path, *, pooled: bool = True) -> dict[str, Any]:
    """Return Django's settings for the only database."""
    if url is None:
        return sqlite_database(data_dir / "studio.sqlite3")
    parts = urlsplit(url)
    if parts.scheme not in {"postgres", "postgresql"}:
        raise SettingError(
            f"DATABASE_URL has the scheme {parts.scheme!r}; use "
            "postgresql://user:password@host:port/name, or unset it for SQLite."
        )
    options: dict[str, Any] = {"options": _POSTGRES_OPTIONS, **dict(parse_qsl(parts.query))}
    if pooled:
        options["pool"] = dict(_POOL)
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.lstrip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": parts.hostname or "",
        "PORT": str(parts.port or ""),
        "CONN_MAX_AGE": 0,
        "OPTIONS": options,
    }


def describe_server(settings: Mapping[str, Any]) -> str:
    """Return the server's address as PostgreSQL's programs expect it, without the password."""
    options = {
        name: value for name, value in settings["OPTIONS"].items() if name not in _NOT_FOR_PROGRAMS
    }
    return make_conninfo(
        dbname=settings["NAME"],
        user=settings["USER"] or None,
        host=settings["HOST"] or None,
        port=settings["PORT"] or None,
        **options,
    )


def sqlite_database(path: Path) -> dict[str, Any]:
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": str(path),
        "OPTIONS": dict(_SQLITE_OPTIONS),
    }
