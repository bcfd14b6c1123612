"""Folders of documents: those of the data folder, and those that come with plugins.

An agent names one by its name, never by a path. Links are not followed, because they may lead out.
"""

import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tapes_app.engine.errors import NotFoundError
from tapes_app.environments.search.formats import READERS

MOST_FILES = 2_000
"""Of one folder with those in it, in the order of their names; further ones are not read."""

MOST_FILE_BYTES = 50 * 1024**2

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")


@dataclass(frozen=True, slots=True)
class FoundDocument:
    """A file in a folder of documents."""

    id: str
    """Its path in the folder, with slashes: what agents call it."""

    path: Path
    size: int
    changed_ns: int
    problem: str = ""
    """Why it is not even opened."""

    @property
    def suffix(self) -> str:
        return self.path.suffix.lower()


class DocumentFolders:
    """The folders that a studio has."""

    def __init__(self) -> None:
        self._own: Path | None = None
        self._shipped: dict[str, Path] = {}
        self.texts: Path | None = None
        """Where the text of documents is kept once it was read; `None`: nowhere."""

        self.hidden: Path | None = None
        """What the process that reads a document must not see."""

        self.may_be_unwalled = False

    def use_data_folder(self, folder: Path, *, may_be_unwalled: bool = False) -> None:
        """Look for folders in `documents` of a data folder, and keep what was read beside it."""
        self._own = folder / "documents"
        self.texts = folder / "document-texts"
        self.hidden = folder
        self.may_be_unwalled = may_be_unwalled

    def add(self, name: str, folder: Path) -> None:
        """Offer a folder that ships with a plugin, in place of one of that name in the data folder.

        `folder` must be there for as long as the studio runs.
        """
        self._shipped[name] = folder

    def list_names(self) -> list[str]:
        return sorted({*self._shipped, *self._list_own()})

    def find(self, name: str) -> Path:
        """Return a folder.

        Raises:
            NotFoundError: there is none of this name; the message says what to do.
        """
        if name in self._shipped:
            return self._shipped[name]
        if self._own is not None and name in self._list_own():
            return self._own / name
        known = ", ".join(map(repr, self.list_names())) or "none yet"
        raise NotFoundError(
            f"There is no folder of documents named {name!r}; there are: {known}. Put documents "
            "into documents/NAME of the data folder.",
            folder=name,
        )

    def _list_own(self) -> list[str]:
        if self._own is None or self._own.is_symlink():
            return []
        try:
            with os.scandir(self._own) as entries:
                return [
                    entry.name
                    for entry in entries
                    if entry.is_dir(follow_symlinks=False) and _NAME.fullmatch(entry.name)
                ]
        except OSError:
            return []


folders = DocumentFolders()
"""Those of this process."""


def list_documents(folder: Path) -> list[FoundDocument]:
    """Return all files of a folder by their ids; names that begin with a dot are left out."""
    return sorted(_walk(folder, ""), key=lambda found: found.id)


def _walk(folder: Path, prefix: str) -> Iterator[FoundDocument]:
    try:
        with os.scandir(folder) as entries:
            present = list(entries)
    except OSError:
        return
    for entry in present:
        if entry.name.startswith("."):
            continue
        name = f"{prefix}{entry.name}"
        if entry.is_dir(follow_symlinks=False):
            yield from _walk(Path(entry.path), f"{name}/")
        elif (found := _look_at(entry, name)) is not None:
            yield found


def _look_at(entry: os.DirEntry[str], name: str) -> FoundDocument | None:
    try:
        status = entry.stat(follow_symlinks=False)
    except OSError:  # it is gone
        return None
    shown = name.encode(errors="replace").decode()  # a name may be no text
    path = Path(entry.path)
    return FoundDocument(shown, path, status.st_size, status.st_mtime_ns, _refuse(path, status))


def _refuse(path: Path, status: os.stat_result) -> str:
    if stat.S_ISLNK(status.st_mode):
        return "it is a link, and links are not followed; copy the file here"
    if not stat.S_ISREG(status.st_mode):
        return "it is no file"
    if path.suffix.lower() not in READERS:
        return f"its format is not known; save it as one of {', '.join(READERS)}"
    if status.st_size > MOST_FILE_BYTES:
        return f"it is larger than {MOST_FILE_BYTES // 1024**2} MiB"
    return ""
