"""Reading a backup: every member is checked, and unpacked on request."""

import gzip
import hashlib
import os
import tarfile
import zlib
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path, PurePosixPath
from typing import IO

from pydantic import ValidationError

from studio.backups.manifest import (
    DATABASES,
    FILES,
    MANIFEST,
    MANIFEST_BYTES,
    BackupError,
    Manifest,
    Member,
)

_PIECE_BYTES = 1024**2


class DamagedBackupError(BackupError):
    """The file is not a backup of the studio, is incomplete, or was changed."""

    code = "damaged_backup"


def read_backup(path: Path, unpack_to: Path | None = None) -> Manifest:
    """Read a backup completely and check each member against the manifest.

    With `unpack_to`, an empty folder, its members are written there under their names.

    Raises:
        BackupError: the file cannot be read.
        DamagedBackupError: it differs from what a backup writes.
    """
    try:
        with path.open("rb") as file, _telling_of_damage(path):
            return _read(path, file, unpack_to)
    except OSError as error:
        name = error.filename or path
        raise BackupError(f"{name} cannot be used: {error.strerror or error}.") from error


def _read(path: Path, file: IO[bytes], unpack_to: Path | None) -> Manifest:
    found: dict[str, Member] = {}
    manifest: Manifest | None = None
    with gzip.GzipFile(fileobj=file) as unzipped:
        with tarfile.open(fileobj=unzipped, mode="r|") as archive:
            for head in archive:
                member = archive.extractfile(head) if head.isreg() else None
                if member is None or manifest is not None or head.name in found:
                    raise _damage(path, f"it holds {head.name!r}, which no backup does")
                if head.name == MANIFEST:
                    manifest = Manifest.model_validate_json(member.read(MANIFEST_BYTES))
                    continue
                _check_name(path, head.name)
                found[head.name] = _take(member, head.name, unpack_to)
        while unzipped.read(_PIECE_BYTES):  # its end has a checksum of everything
            pass
    if manifest is None:
        raise _damage(path, "its end is missing")
    _compare(path, manifest, found)
    return manifest


def _take(member: IO[bytes], name: str, unpack_to: Path | None) -> Member:
    digest, size = hashlib.sha256(), 0
    with _open_target(name, unpack_to) as target:
        while piece := member.read(_PIECE_BYTES):
            digest.update(piece)
            size += len(piece)
            if target is not None:
                target.write(piece)
    return Member(name=name, size=size, sha256=digest.hexdigest())


def _open_target(name: str, unpack_to: Path | None) -> AbstractContextManager[IO[bytes] | None]:
    if unpack_to is None:
        return nullcontext()
    path = unpack_to / name
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


def _check_name(path: Path, name: str) -> None:
    """Reject names that would lead out of the folder, or that no backup contains."""
    parts = PurePosixPath(name).parts
    is_plain = "/".join(parts) == name and ".." not in parts and "\0" not in name
    is_ours = name in DATABASES.values() or (name.startswith(FILES) and len(parts) > 1)
    if not is_plain or not is_ours:
        raise _damage(path, f"it holds {name!r}, which no backup does")


def _compare(path: Path, manifest: Manifest, found: dict[str, Member]) -> None:
    expected = {member.name: member for member in manifest.members}
    for name in sorted(expected.keys() | found.keys()):
        if expected.get(name) != found.get(name):
            raise _damage(path, f"{name!r} is not what was backed up")
    if manifest.database not in found:
        raise _damage(path, "the database is missing")


@contextmanager
def _telling_of_damage(path: Path) -> Iterator[None]:
    try:
        yield
    except (tarfile.TarError, EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise _damage(path, f"{error}".rstrip(".") or "its end is missing") from error
    except ValidationError as error:
        raise _damage(path, "its manifest cannot be read") from error


def _damage(path: Path, why: str) -> DamagedBackupError:
    return DamagedBackupError(f"{path} is not a complete backup: {why}.")
