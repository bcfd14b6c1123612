"""Which migrations the database has, and which of them this version knows."""

from collections import defaultdict
from pathlib import Path

from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from tapes_app.engine.errors import StudioError
from tapes_app.projects.domain.wording import count_of


class NewerDatabaseError(StudioError):
    """A newer version of the studio wrote the database."""

    code = "newer_database"
    status = 409


def has_database() -> bool:
    """Return whether a studio was ever started on the database."""
    settings = connection.settings_dict
    if connection.vendor == "sqlite" and not Path(settings["NAME"]).exists():
        return False  # connecting would create the file
    return bool(MigrationRecorder(connection).applied_migrations())


def list_applied() -> dict[str, tuple[str, ...]]:
    """Return the names of the migrations that the database has, by app."""
    names = defaultdict[str, list[str]](list)
    for app, name in MigrationRecorder(connection).applied_migrations():
        names[app].append(name)
    return {app: tuple(sorted(names[app])) for app in sorted(names)}


def count_missing(applied: dict[str, tuple[str, ...]]) -> int:
    """Return how many migrations of this version a database lacks.

    A squashed one is none of them: those that it stands for are counted, and recorded either way.
    """
    known = MigrationLoader(None, ignore_no_migrations=True).disk_migrations
    return sum(
        name not in applied.get(app, ())
        for (app, name), migration in known.items()
        if not migration.replaces
    )


def refuse_newer(applied: dict[str, tuple[str, ...]], what: str) -> None:
    """Check that this version knows all migrations that were applied to a database.

    Migrations of an app that this version does not have at all are ignored: it may have been
    dropped.

    Raises:
        NewerDatabaseError: it does not know some of them.
    """
    known = MigrationLoader(None, ignore_no_migrations=True).disk_migrations
    apps = {app for app, _ in known}
    unknown = [
        f"{app}.{name}"
        for app, names in applied.items()
        for name in names
        if app in apps and (app, name) not in known
    ]
    if unknown:
        raise NewerDatabaseError(
            f"{what} was written by a newer version of the studio: this one does not know "
            f"{count_of(len(unknown), 'migration')} ({', '.join(unknown[:3])}). Nothing was "
            "changed. Start the newer version, or restore a backup that this one made."
        )
