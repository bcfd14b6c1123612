"""The levels that databases of older versions have: our migrations, one by one."""

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

LEVELS_APART = 8


def list_all_levels() -> list[str]:
    """Return the names of our first app's migrations in order, without what stands for several."""
    known = MigrationLoader(None, ignore_no_migrations=True).disk_migrations
    return sorted(
        name
        for (app, name), migration in known.items()
        if app == "tapes_app" and not migration.replaces
    )


def list_levels() -> list[str]:
    """Return the first level, every few after it, and the last."""
    levels = list_all_levels()
    return [*levels[:-1:LEVELS_APART], levels[-1]]


def one_by_one(connection: BaseDatabaseWrapper) -> MigrationExecutor:
    """Return what applies migrations one by one, as older versions of the studio did.

    A new database skips them: their sum is in squashed migrations.
    """
    executor = MigrationExecutor(connection)
    executor.loader = _WithoutSquashed(connection)
    return executor


class _WithoutSquashed(MigrationLoader):
    def load_disk(self) -> None:
        super().load_disk()
        known = self.disk_migrations.items()
        self.disk_migrations = {place: one for place, one in known if not one.replaces}
