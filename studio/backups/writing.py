"""Making a backup: written next to its target under another name, and renamed when complete."""

import gzip
import hashlib
import os
import shutil
import tarfile
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import IO, Literal, cast

from django.conf import settings
from django.db import DatabaseError, connection

from studio.backups.databases import database_moment, measure_database
from studio.backups.listing import Listing, folder_to_hold, hold_uploads, list_files
from studio.backups.manifest import DATABASES, FILES, MANIFEST, BackupError, Manifest, Member
from studio.data_dir import KEY_FILE
from tapes_app.exchange.services.upload_lock import keeping_uploads
from tapes_app.management.schema_level import has_database, list_applied
from tapes_app.management.shell import first_line
from tapes_app.projects.services.session import read_version

_COMPRESSION = 1  # the first level gains the most; model weights gain nothing
_READ_WHOLE_BYTES = 4 * 1024**2
"""Files up to this size are read before their size is written, so they may change meanwhile."""


def write_backup(target: Path) -> Manifest:
    """Write a backup of the studio into a file, while it runs, and return its manifest.

    The database is copied first: every file that one of its rows names existed by then.

    Raises:
        BackupError: the file exists already, there is nothing to back up, or no space.
    """
    target = target.absolute()
    if target.exists() or target.is_symlink():
        raise BackupError(f"{target} exists already; choose another name.")
    if not target.parent.is_dir():
        raise BackupError(f"There is no folder {target.parent}; make it first.")
    try:
        if not has_database():
            raise BackupError(
                "No studio has been started here yet, so there is nothing to back up."
            )
        return _write(target, Path(settings.STUDIO_DATA_DIR))
    except DatabaseError as error:
        raise BackupError(f"The database does not answer: {first_line(error)}.") from error
    except OSError as error:
        raise BackupError(f"{target} cannot be written: {error.strerror or error}.") from error


def _write(target: Path, data_dir: Path) -> Manifest:
    check_space(target.parent, measure_database() + list_files(data_dir).size)
    with _scratch_folder(target) as scratch, folder_to_hold(data_dir) as held:
        database = scratch / "database"
        with ExitStack() as moment:
            with keeping_uploads():
                copy_to = moment.enter_context(database_moment())
                hold_uploads(data_dir, held)
            copy_to(database)
        listing = list_files(data_dir).joined_by(list_files(held))
        manifest = _pack(scratch / "backup", database, listing)
        (scratch / "backup").rename(target)
    return manifest


def check_space(folder: Path, size: int) -> None:
    """Check that there is room for this many bytes.

    Raises:
        BackupError: there is not.
    """
    free = shutil.disk_usage(folder).free
    if free < size:
        raise BackupError(
            f"A backup may take {size / 1024**2:.0f} MiB, and {folder} has {free / 1024**2:.0f} "
            "MiB free; free some space, or choose another place."
        )


@contextmanager
def _scratch_folder(target: Path) -> Iterator[Path]:
    """Provide a private folder on the same disk, which is deleted afterwards."""
    scratch = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
    try:
        yield scratch
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _pack(target: Path, database: Path, listing: Listing) -> Manifest:
    vendor = cast("Literal['sqlite', 'postgresql']", connection.vendor)
    with _open_private(target) as file:
        with (
            gzip.GzipFile("", "wb", _COMPRESSION, file) as zipped,
            tarfile.open(fileobj=zipped, mode="w|", format=tarfile.PAX_FORMAT) as archive,
        ):
            packer = _Packer(archive)
            packer.add(DATABASES[vendor], database)
            for found in listing.files:
                packer.add(f"{FILES}{found.name}", found.path)
            manifest = Manifest(
                made_at=datetime.now(UTC),
                version=read_version(),
                vendor=vendor,
                migrations=list_applied(),
                has_key=any(found.name == KEY_FILE for found in listing.files),
                artefacts=settings.STUDIO_ARTEFACTS,
                left_out=listing.links,
                members=tuple(packer.members),
            )
            packer.add_text(MANIFEST, manifest.model_dump_json(indent=1))
        file.flush()
        os.fsync(file.fileno())
    return manifest


@contextmanager
def _open_private(path: Path) -> Iterator[IO[bytes]]:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        yield file


class _Packer:
    """Adds members to an archive and records the manifest's entry for each."""

    def __init__(self, archive: tarfile.TarFile) -> None:
        self._archive = archive
        self.members: list[Member] = []

    def add(self, name: str, path: Path) -> None:
        """Add a file; one that was removed in the meantime is skipped."""
        try:
            file = path.open("rb")
        except FileNotFoundError:
            return
        with file:
            size = os.fstat(file.fileno()).st_size
            if size <= _READ_WHOLE_BYTES:
                text = file.read()
                self._write(name, len(text), BytesIO(text))
            else:
                self._write(name, size, file)

    def add_text(self, name: str, text: str) -> None:
        encoded = text.encode()
        self._write(name, len(encoded), BytesIO(encoded))

    def _write(self, name: str, size: int, file: IO[bytes]) -> None:
        head = tarfile.TarInfo(name)
        head.size, head.mode, head.mtime = size, 0o600, time.time()
        read = _HashedFile(file)
        try:
            self._archive.addfile(head, cast("IO[bytes]", read))
        except OSError as error:
            if read.count < size and not error.errno:
                raise BackupError(
                    f"{name!r} became shorter while it was read; try again."
                ) from error
            raise
        self.members.append(Member(name=name, size=size, sha256=read.hash.hexdigest()))


class _HashedFile:
    """Reads a file for an archive and hashes what was read."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.hash = hashlib.sha256()
        self.count = 0

    def read(self, size: int = -1) -> bytes:
        piece = self._file.read(size)
        self.hash.update(piece)
        self.count += len(piece)
        return piece
