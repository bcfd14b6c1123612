"""How much room the database and the data folder take."""

import shutil
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import connection

_TABLES = 10


@dataclass(frozen=True, slots=True)
class TableSize:
    name: str
    size_bytes: int


@dataclass(frozen=True, slots=True)
class Disk:
    """The disk of the data folder."""

    folder: Path
    free_bytes: int
    total_bytes: int


def database_bytes() -> int:
    """Return how large the database is, with what is still to be written into it."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_database_size(current_database())")
            return int(cursor.fetchone()[0])
    file = str(connection.settings_dict["NAME"])
    parts = [Path(file), Path(f"{file}-wal")]
    return sum(part.stat().st_size for part in parts if part.exists())


def list_table_sizes() -> list[TableSize]:
    """Return the largest tables with their indexes; none on SQLite, which would read all of it."""
    if connection.vendor != "postgresql":
        return []
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, pg_total_relation_size(oid) AS size FROM pg_class "
            "WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace "
            "ORDER BY size DESC, relname LIMIT %s",
            [_TABLES],
        )
        return [TableSize(name, int(size)) for name, size in cursor.fetchall()]


def measure_disk() -> Disk:
    usage = shutil.disk_usage(settings.STUDIO_DATA_DIR)
    return Disk(Path(settings.STUDIO_DATA_DIR), usage.free, usage.total)
