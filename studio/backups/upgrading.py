"""Copying the database before a start that changes the tables of an older version."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.db import connection

from studio.backups.databases import can_dump_postgres, database_moment, measure_database
from studio.backups.manifest import BackupError
from studio.backups.writing import check_space
from tapes_app.management.schema_level import (
    count_missing,
    has_database,
    list_applied,
    refuse_newer,
)
from tapes_app.projects.domain.wording import count_of

_KEPT = 3
_NAME = "before-upgrade-"
_ENDINGS = {"sqlite": ".sqlite3", "postgresql": ".pgdump"}


def prepare_upgrade(say: Callable[[str], None]) -> None:
    """Keep a copy of the database if this start changes its tables, and report that.

    Raises:
        NewerDatabaseError: a newer version wrote it; nothing was touched.
        BackupError: there is no room for the copy, or the database is damaged.
    """
    if not has_database():
        return
    applied = list_applied()
    refuse_newer(applied, f"The database {connection.settings_dict['NAME']}")
    missing = count_missing(applied)
    if not missing:
        return
    changes = f"This version changes the tables ({count_of(missing, 'migration')})"
    folder = Path(settings.STUDIO_DATA_DIR) / "backups"
    target = folder / f"{_NAME}{datetime.now(UTC):%Y%m%d-%H%M%S}{_ENDINGS[connection.vendor]}"
    if connection.vendor == "postgresql" and not can_dump_postgres():
        say(f"{changes}; no copy is made first, because the program pg_dump is not here.")
        return
    say(f"{changes}; first the database is copied to {target}")
    _copy(target, say)


def _copy(target: Path, say: Callable[[str], None]) -> None:
    target.parent.mkdir(mode=0o700, exist_ok=True)
    check_space(target.parent, measure_database())
    draft = target.with_name(f".{target.name}")
    try:
        with database_moment() as copy_to:
            copy_to(draft)
        draft.rename(target)
    except BackupError as error:
        if connection.vendor == "sqlite":
            raise
        say(f"No copy was made: {error.message}")  # an older pg_dump refuses a newer server
    finally:
        draft.unlink(missing_ok=True)
    for old in sorted(target.parent.glob(f"{_NAME}*"))[:-_KEPT]:
        old.unlink()
