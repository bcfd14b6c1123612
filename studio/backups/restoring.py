"""Putting a backup back: unpacked beside the data folder, checked, and only then renamed."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.db import connection

from studio.backups.databases import restore_postgres
from studio.backups.manifest import FILES, BackupError, Manifest
from studio.backups.reading import read_backup
from studio.data_dir import DATABASE_FILE, KEY_FILE
from studio.instance_lock import is_held, read_holder
from tapes_app.management.schema_level import has_database, refuse_newer

_MADE_AT_EVERY_START = {KEY_FILE, "lock"}


@dataclass(frozen=True)
class Restored:
    manifest: Manifest
    kept: Path | None
    """Where the folder lies that was replaced."""


def restore_backup(path: Path, *, replaces: bool = False) -> Restored:
    """Put a backup into the studio's data folder and database, all of it or nothing.

    With `replaces`, a data folder that has something in it is kept under another name.

    Raises:
        BackupError: a studio uses the folder, something is in it, or the backup is of no use.
    """
    data_dir = Path(settings.STUDIO_DATA_DIR)
    _refuse_used(data_dir, replaces=replaces)
    with _folder_beside(data_dir) as beside:
        manifest = read_backup(path, beside)
        _check_fit(path, manifest)
        restored = beside / FILES
        restored.mkdir(mode=0o700, exist_ok=True)
        if manifest.vendor == "sqlite":
            (beside / manifest.database).rename(restored / DATABASE_FILE)
        else:
            connection.close()
            restore_postgres(beside / manifest.database, replaces=replaces)
        kept = _swap(restored, data_dir)
    return Restored(manifest, kept)


def _refuse_used(data_dir: Path, *, replaces: bool) -> None:
    if is_held(data_dir):
        pid = read_holder(data_dir).get("pid", "?")
        raise BackupError(
            f"A studio (process {pid}) is using the data folder {data_dir}. Stop it, or restore "
            "into another folder with --data-dir."
        )
    if replaces:
        return
    if not is_unused(data_dir):
        raise BackupError(
            f"The data folder {data_dir} is not empty. Restore into another one with --data-dir, "
            "or say --replace: the folder is kept under another name."
        )
    if connection.vendor == "postgresql" and has_database():
        raise BackupError(
            f"The database {connection.settings_dict['NAME']!r} is not empty. Name an empty one in "
            "DATABASE_URL, or say --replace, which drops its tables."
        )


def is_unused(data_dir: Path) -> bool:
    """Return whether nothing is in a data folder but what every command makes there."""
    return all(
        (path.is_dir() and not path.is_symlink()) or path.name in _MADE_AT_EVERY_START
        for path in data_dir.rglob("*")
    )


def _check_fit(path: Path, manifest: Manifest) -> None:
    if manifest.vendor != connection.vendor:
        wanted = "set DATABASE_URL" if manifest.vendor == "postgresql" else "unset DATABASE_URL"
        raise BackupError(f"{path} holds a database of {manifest.vendor}; {wanted} to restore it.")
    refuse_newer(manifest.migrations, str(path))


@contextmanager
def _folder_beside(data_dir: Path) -> Iterator[Path]:
    """Give a folder on the same disk as the data folder, which is gone afterwards."""
    try:
        beside = Path(tempfile.mkdtemp(prefix=f".{data_dir.name}.restoring.", dir=data_dir.parent))
    except OSError as error:
        raise BackupError(
            f"Nothing can be written beside {data_dir}: {error.strerror}. Restore into a folder "
            "below one of yours with --data-dir."
        ) from error
    try:
        yield beside
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _swap(restored: Path, data_dir: Path) -> Path | None:
    """Put the restored folder in the place of the old one; return where that is kept."""
    moment = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    old = data_dir.with_name(f"{data_dir.name}.before-restore-{moment}")
    try:
        data_dir.rename(old)
    except OSError as error:
        raise BackupError(
            f"The data folder {data_dir} cannot be renamed: {error.strerror}. Restore into a "
            "folder that is no mount point with --data-dir."
        ) from error
    restored.rename(data_dir)
    if is_unused(old):
        shutil.rmtree(old)
        return None
    return old
