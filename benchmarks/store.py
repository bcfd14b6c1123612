"""A separate store for a benchmark: a migrated SQLite database in a temporary folder."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID


@dataclass(frozen=True)
class Store:
    path: Path
    project: UUID
    empty_size: int
    """Size of the database in bytes before anything is recorded."""

    def size(self) -> int:
        """Return the size of what is recorded in bytes, including the write-ahead log."""
        return database_size(self.path) - self.empty_size


@contextmanager
def open_store(database_url: str = "") -> Iterator[Store]:
    """Start Django on an empty database, once per process; by default on SQLite."""
    with tempfile.TemporaryDirectory(prefix="studio-benchmark-") as folder:
        os.environ["STUDIO_DATA_DIR"] = folder
        os.environ.pop("DATABASE_URL", None)
        if database_url:
            os.environ["DATABASE_URL"] = database_url
        os.environ["DJANGO_SETTINGS_MODULE"] = "studio.settings"
        import django
        from django.core.management import call_command

        django.setup()
        call_command("migrate", verbosity=0)

        from django.db import connection

        from tapes_app.projects.store.projects import ensure_default_project

        project = ensure_default_project().id
        path = Path(str(connection.settings_dict["NAME"]))
        yield Store(path, project, database_size(path))
        connection.close()


def database_size(path: Path) -> int:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path.stat().st_size


def table_sizes() -> dict[str, int]:
    """Return bytes by table and index, to find out where they go."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT name, SUM(pgsize) FROM dbstat GROUP BY name ORDER BY 2 DESC")
        return dict(cursor.fetchall())
