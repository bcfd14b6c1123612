"""Restoring a backup: unpacked next to the data folder, checked, and only then renamed."""

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
    """Where the replaced folder is kept."""


def restore_backup(path: Path, *, replaces: bool = False) -> Restored:
    """Restore a backup into the studio's data folder and database, all of it or nothing.

    With `replaces`, a data folder that is not empty is kept under another name.

    Raises:
        BackupError: a studio uses the folder, it is not empty, or the backup is unusable.
    """
    data_dir = Path(settings.STUDIO_DATA_DIR)
    _refuse_used(data_dir, replaces=replaces)
    with _scratch_folder(data_dir) as scratch:
        manifest = read_backup(path, scratch)
        _check_fit(path, manifest)
        restored = scratch / FILES
        restored.mkdir(mode=0o700, exist_ok=True)
        if manifest.vendor == "sqlite":
            (scratch / manifest.database).rename(restored / DATABASE_FILE)
        else:
            connection.close()
            restore_postgres(scratch / manifest.database, replaces=replaces)
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
            "or give --replace: the folder is kept under another name."
        )
    if connection.vendor == "postgresql" and has_database():
        raise BackupError(
            f"The database {connection.settings_dict['NAME']!r} is not empty. Name an empty one in "
            "DATABASE_URL, or give --replace, which drops its tables."
        )


def is_unused(data_dir: Path) -> bool:
    """Return whether a data folder has nothing but what every command makes there."""
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
def _scratch_folder(data_dir: Path) -> Iterator[Path]:
    """Provide a folder on the same disk as the data folder, which is deleted afterwards."""
    try:
        scratch = Path(tempfile.mkdtemp(prefix=f".{data_dir.name}.restoring.", dir=data_dir.parent))
    except OSError as error:
        raise BackupError(
            f"Nothing can be written next to {data_dir}: {error.strerror}. Restore into a folder "
            "below one of yours with --data-dir."
        ) from error
    try:
        yield scratch
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _swap(restored: Path, data_dir: Path) -> Path | None:
    """Replace the old folder by the restored one; return where the old one is kept."""
    moment = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    old = data_dir.with_name(f"{data_dir.name}.before-restore-{moment}")
    try:
        data_dir.rename(old)
    except OSError as error:
        raise BackupError(
            f"The data folder {data_dir} cannot be renamed: {error.strerror}. Restore into a "
            "folder that is not a mount point with --data-dir."
        ) from error
    restored.rename(data_dir)
    if is_unused(old):
        shutil.rmtree(old)
        return None
    return old
