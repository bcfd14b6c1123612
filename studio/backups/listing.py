"""Which files of the data folder belong in a backup."""

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from studio.data_dir import DATABASE_FILE

_LEFT_OUT = {
    *("broker", "workers", "processes", "logins", "wake", "downloads", "backups"),
    "document-texts",
}
"""What processes exchange, one-time sign-in links, backups themselves, and what is read again."""

_LOCK = "lock"


@dataclass(frozen=True)
class FoundFile:
    name: str
    """Its path in the data folder, with slashes."""

    path: Path
    size: int


@dataclass(frozen=True)
class Listing:
    files: tuple[FoundFile, ...]
    links: tuple[str, ...]
    """Links are not followed, as they lead elsewhere."""

    def joined_by(self, held: "Listing") -> "Listing":
        """Return both listings together; a file that is in both may be gone before it is read."""
        kept = {file.name for file in held.files}
        return Listing((*held.files, *(f for f in self.files if f.name not in kept)), self.links)

    @property
    def size(self) -> int:
        return sum(file.size for file in self.files)


def list_files(data_dir: Path, *, within: str = "") -> Listing:
    """Return the files of the data folder, or of one folder in it, sorted by name.

    Leaves out the database, locks and sockets.
    """
    files: list[FoundFile] = []
    links: list[str] = []
    for folder, folders, names in os.walk(data_dir / within):
        at_top = Path(folder) == data_dir
        if at_top:
            folders[:] = [name for name in folders if name not in _LEFT_OUT]
        folders.sort()
        for name in sorted((*folders, *names)):
            path = Path(folder) / name
            if name == _LOCK or (at_top and name.startswith(DATABASE_FILE)):
                continue
            _note(path, path.relative_to(data_dir).as_posix(), files, links)
    return Listing(tuple(files), tuple(links))


@contextmanager
def folder_to_hold(data_dir: Path) -> Iterator[Path]:
    """Provide a folder on the data folder's disk, which is deleted afterwards."""
    (data_dir / "backups").mkdir(mode=0o700, exist_ok=True)
    held = Path(tempfile.mkdtemp(prefix=".held.", dir=data_dir / "backups"))
    try:
        yield held
    finally:
        shutil.rmtree(held, ignore_errors=True)


def hold_uploads(data_dir: Path, held: Path) -> None:
    """Keep everything that is waiting for import, in a folder laid out like the data folder.

    A job removes its files when it is done. If the copy of the database still has the job to do, it
    needs them.
    """
    for found in list_files(data_dir, within="uploads").files:
        place = held / found.name
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with suppress(FileNotFoundError):
            os.link(found.path, place)


def _note(path: Path, name: str, files: list[FoundFile], links: list[str]) -> None:
    try:
        found = path.lstat()
    except FileNotFoundError:  # it was removed in the meantime
        return
    if stat.S_ISLNK(found.st_mode):
        links.append(name)
    elif stat.S_ISREG(found.st_mode):
        files.append(FoundFile(name, path, found.st_size))
