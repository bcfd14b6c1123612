"""Where the files of an export go: a folder or a zip."""

import io
import shutil
import zipfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Protocol, TextIO

from tapes_app.engine.errors import ConflictError
from tapes_app.interchange.folders import clean_name
from tapes_app.projects.services.downloads import Download, write_file


class ExportTarget(Protocol):
    """Where files go. Names are relative and already sanitised."""

    def open_text(self, name: str) -> AbstractContextManager[TextIO]: ...

    def add(self, path: Path, name: str) -> None: ...


class FolderTarget:
    """Writes to a folder; existing files are never overwritten."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    @contextmanager
    def open_text(self, name: str) -> Iterator[TextIO]:
        with self.free_path(name).open("x", encoding="utf-8", newline="\n") as file:
            yield file

    def add(self, path: Path, name: str) -> None:
        shutil.copyfile(path, self.free_path(name))

    def free_path(self, name: str) -> Path:
        """Return the path for a file of that name.

        Raises:
            ConflictError: the folder already has such a file.
        """
        path = self._folder / name
        if path.exists() or path.is_symlink():
            raise ConflictError(
                f"{name!r} already exists in the folder; choose an empty folder with --out.",
                file=name,
            )
        path.parent.mkdir(parents=True, exist_ok=True)
        return path


class ZipTarget:
    """Writes to a zip archive, piece by piece."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive

    @contextmanager
    def open_text(self, name: str) -> Iterator[TextIO]:
        with (
            self._archive.open(name, "w", force_zip64=True) as raw,
            io.TextIOWrapper(raw, encoding="utf-8", newline="\n") as file,
        ):
            yield file

    def add(self, path: Path, name: str) -> None:
        self._archive.write(path, name)


def pack(name: str, write: Callable[[ExportTarget, Path], object]) -> Download:
    """Let `write` fill a zip, using a temporary folder; return it under a name for any system."""

    def fill(path: Path) -> None:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            write(ZipTarget(archive), path.parent)

    title = clean_name(name).replace("/", " ") or "tapes"
    return write_file(title, ".zip", "application/zip", fill)
