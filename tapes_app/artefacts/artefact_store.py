"""The artefact store: a folder or bucket accessed through fsspec, with files named by hash.

    NAME/manifest.json    which files the artefact has, with hash and size, and who wrote it
    NAME/SHA256           a file of it

The manifest is written last, and everything is first written under a temporary name, so an artefact
is there completely or not at all. Fetched files are verified against their hashes.
"""

import hashlib
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import IO
from uuid import uuid4

from tapes_app.artefacts.manifest import (
    ArtefactError,
    Manifest,
    StoredFile,
    read_manifest,
    write_manifest,
)
from tapes_app.engine.errors import ConflictError

Chooser = Callable[[str, int], bool]
"""Decides whether to fetch a file, by its path in the artefact and its size."""

_MANIFEST = "manifest.json"
_OF_A_MACHINE = frozenset({"lock", "stop", "watched"})
"""Files that a program and its watcher use to coordinate: they mean nothing on other machines."""
_CHUNK = 4 * 1024 * 1024
_TRIES = 5


class Artefacts:
    """How machines share folders; without a store, all see one data folder: nothing is copied."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def publish(self, name: str, *, attempt: int = 0) -> None:
        """Make the folder in its current state available to others."""

    def fetch(self, name: str, choose: Chooser | None = None) -> None:
        """Bring the folder, or the chosen files of it, to its last published state."""

    def find(self, name: str) -> Manifest | None:  # noqa: ARG002
        """Return the artefact's manifest; `None`: only the folder itself shows what it contains."""
        return None

    def has(self, name: str) -> bool:  # noqa: ARG002
        """Return whether others can find the artefact."""
        return True

    def list_names(self, kind: str) -> list[str]:  # noqa: ARG002
        """Return the published artefacts of a kind."""
        return []

    def remove(self, name: str) -> None:
        """Remove the folder here, and the published copy."""
        shutil.rmtree(self._root / name, ignore_errors=True)

    def remove_older(self, kind: str, seconds: float) -> None:
        """Remove the artefacts of a kind last written or published more than `seconds` ago."""
        for name in _list_older(self._root, kind, seconds):
            self.remove(name)


class ArtefactStore(Artefacts):
    """Artefacts at an fsspec address, in addition to this machine's folder `root`."""

    def __init__(self, address: str, root: Path) -> None:
        """Open the store.

        Raises:
            ArtefactError: the kind of address is unknown, or a package for it is missing.
        """
        import fsspec

        super().__init__(root)
        try:
            # What others write must be visible immediately: listings must not be cached.
            self._system, self._place = fsspec.core.url_to_fs(address, use_listings_cache=False)
        except (ImportError, ValueError, OSError) as error:
            raise ArtefactError(f"STUDIO_ARTEFACTS {address!r} cannot be used: {error}") from error

    def publish(self, name: str, *, attempt: int = 0) -> None:
        """Upload what the store lacks of a folder, then publish its manifest.

        Raises:
            ConflictError: a later attempt of the job has published it.
            FileNotFoundError: a file was removed in the meantime; nothing was published.
            ArtefactError: the store cannot be reached.
        """
        try:
            self._publish(name, attempt)
        except FileNotFoundError:
            raise
        except OSError as error:
            raise _unreachable(error) from error

    def fetch(self, name: str, choose: Chooser | None = None) -> None:
        """Download what this machine lacks of an artefact.

        Without `choose`, files that the artefact does not have are removed. An artefact published
        from here is left alone, because this copy is the most current. So is an artefact that the
        store does not have.

        Raises:
            ArtefactError: the store cannot be reached, or a file differs from what was published.
        """
        for _ in range(_TRIES):
            manifest = self.find(name)
            if manifest is None or manifest.writer == self._writer:
                return None
            with suppress(
                FileNotFoundError
            ):  # published again in the meantime: there is another manifest
                try:
                    return self._fetch(name, manifest, choose)
                except FileNotFoundError:
                    raise
                except OSError as error:
                    raise _unreachable(error) from error
        raise ArtefactError(f"The artefact store lacks files of {name}.", name=name)

    def find(self, name: str) -> Manifest | None:
        """Return an artefact's manifest; `None`: it was never published.

        Raises:
            ArtefactError: the store cannot be reached, or its manifest is invalid.
        """
        try:
            return read_manifest(self._system.cat_file(self._at(name, _MANIFEST)))
        except FileNotFoundError:
            return None
        except OSError as error:
            raise _unreachable(error) from error

    def has(self, name: str) -> bool:
        """Return whether an artefact was published."""
        return self.find(name) is not None

    def list_names(self, kind: str) -> list[str]:
        """Return the artefacts of a kind, such as `models`."""
        try:
            found = self._system.ls(self._at(kind), detail=False)
        except FileNotFoundError:
            return []
        except OSError as error:
            raise _unreachable(error) from error
        return sorted(f"{kind}/{PurePosixPath(path).name}" for path in found)

    def remove(self, name: str) -> None:
        """Remove an artefact from this machine and from the store.

        Raises:
            ArtefactError: the store cannot be reached; the local folder is already removed.
        """
        super().remove(name)
        try:
            # The manifest first: any files that are left then belong to nothing.
            with suppress(FileNotFoundError):
                self._system.rm_file(self._at(name, _MANIFEST))
            with suppress(FileNotFoundError):
                self._system.rm(self._at(name), recursive=True)
        except OSError as error:
            raise _unreachable(error) from error

    def remove_older(self, kind: str, seconds: float) -> None:
        """Remove the artefacts of a kind last written here, or published, more than `seconds` ago.

        Raises:
            ArtefactError: the store cannot be reached.
        """
        before = time.time() - seconds
        for name in _list_older(self._root, kind, seconds):
            super().remove(name)
        for name in self.list_names(kind):
            manifest = self.find(name)
            if manifest is not None and manifest.published_at < before:
                self.remove(name)

    @property
    def _writer(self) -> str:
        """The name of this data folder among the others, created on first use."""
        file = self._root / "machine"
        if not file.exists():
            draft = file.with_name(f".machine.{uuid4().hex}")
            draft.write_text(uuid4().hex)
            with suppress(FileExistsError):  # another process was first
                os.link(draft, file)
            draft.unlink()
        return file.read_text()

    def _publish(self, name: str, attempt: int) -> None:
        before = self.find(name) or Manifest()
        if before.attempt > attempt:
            raise ConflictError(f"A later attempt continues {name}; this one ends.")
        self._system.makedirs(self._at(name), exist_ok=True)
        known = {one.sha256 for one in before.files.values()}
        files = {
            path: self._upload(name, self._root / name / path, known)
            for path in _list_files(self._root / name)
        }
        manifest = Manifest(files, self._writer, attempt, time.time())
        if manifest == before:
            return
        self._write(name, _MANIFEST, write_manifest(manifest))
        for old in known - {one.sha256 for one in files.values()}:
            with suppress(FileNotFoundError):
                self._system.rm_file(self._at(name, old))

    def _upload(self, name: str, file: Path, known: set[str]) -> StoredFile:
        """Make sure the store has a file; if it grows meanwhile, the store has what was read."""
        with file.open("rb") as source:
            sha256, size = _copy(source, None)
            if sha256 in known:
                return StoredFile(sha256, size)
            source.seek(0)
            with self._removed_if_broken(self._at(name, f".{uuid4().hex}")) as part:
                with self._system.open(part, "wb") as target:
                    sha256, size = _copy(source, target)
                self._system.mv(part, self._at(name, sha256))
        return StoredFile(sha256, size)

    def _write(self, name: str, file: str, content: bytes) -> None:
        with self._removed_if_broken(self._at(name, f".{uuid4().hex}")) as part:
            self._system.pipe_file(part, content)
            self._system.mv(part, self._at(name, file))

    @contextmanager
    def _removed_if_broken(self, part: str) -> Iterator[str]:
        try:
            yield part
        except BaseException:
            with suppress(OSError):
                self._system.rm_file(part)
            raise

    def _fetch(self, name: str, manifest: Manifest, choose: Chooser | None) -> None:
        folder = self._root / name
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for path, stored in manifest.files.items():
            if choose is None or choose(path, stored.size):
                self._download(name, folder / path, stored)
        if choose is None:
            for path in set(_list_files(folder)) - set(manifest.files):
                (folder / path).unlink(missing_ok=True)
            _remove_empty(folder)

    def _download(self, name: str, file: Path, stored: StoredFile) -> None:
        if _is_here(file, stored):
            return
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        part = file.with_name(f".{file.name}.{uuid4().hex}")
        try:
            with (
                self._system.open(self._at(name, stored.sha256), "rb") as source,
                part.open("wb") as target,
            ):
                sha256, _ = _copy(source, target)
            if sha256 != stored.sha256:
                raise ArtefactError(
                    f"{file.name} of {name} is damaged in the artefact store. Publish it again "
                    "from where it was made.",
                    name=name,
                )
            part.replace(file)
        finally:
            part.unlink(missing_ok=True)

    def _at(self, *parts: str) -> str:
        return "/".join((self._place.rstrip("/"), *parts))


def open_artefacts(address: str, root: Path) -> Artefacts:
    """Return the store at an address; without one, the data folder that machines share.

    Raises:
        ArtefactError: the kind of address is unknown, or a package for it is missing.
    """
    return ArtefactStore(address, root) if address else Artefacts(root)


def _list_older(root: Path, kind: str, seconds: float) -> list[str]:
    """Return the artefacts of a kind whose folders were last written more than `seconds` ago."""
    before = time.time() - seconds
    return [
        f"{kind}/{folder.name}"
        for folder in (root / kind).glob("*")
        if folder.is_dir() and folder.stat().st_mtime < before
    ]


def _list_files(folder: Path) -> list[str]:
    """Return the paths of an artefact's files; dotfiles are still being written."""
    found = (path.relative_to(folder) for path in sorted(folder.rglob("*")) if path.is_file())
    return [
        path.as_posix()
        for path in found
        if path.as_posix() not in _OF_A_MACHINE and not any(p.startswith(".") for p in path.parts)
    ]


def _remove_empty(folder: Path) -> None:
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_dir() and not any(path.iterdir()):
            shutil.rmtree(path)


def _is_here(file: Path, stored: StoredFile) -> bool:
    if not file.is_file() or file.stat().st_size != stored.size:
        return False
    with file.open("rb") as source:
        return _copy(source, None)[0] == stored.sha256


def _copy(source: IO[bytes], target: IO[bytes] | None) -> tuple[str, int]:
    """Copy a file, or only read it; return the hash and size of what was read."""
    digest, size = hashlib.sha256(), 0
    while chunk := source.read(_CHUNK):
        digest.update(chunk)
        size += len(chunk)
        if target is not None:
            target.write(chunk)
    return digest.hexdigest(), size


def _unreachable(error: OSError) -> ArtefactError:
    return ArtefactError(f"The artefact store does not respond as expected: {error}")
