"""The data folder: its layout, its private files, and the secret key that is created in it."""

import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path

from tapes_app.engine.errors import StudioError

DATABASE_FILE = "studio.sqlite3"
KEY_FILE = "secret_key"
_BROKER = ("broker", "broker/queue", "broker/done", "broker/broken", "broker/control")
FOLDERS = (*_BROKER, "blobs", "workers", "logins", "logs")
_NOT_OURS = 0o077
"""Permissions of group and others; private files have none of them."""


class DataFolderError(StudioError):
    """The data folder cannot be used; the message explains why and what to do."""

    code = "data_folder"
    status = 503


def prepare_data_dir(data_dir: Path) -> None:
    """Make the folder and its parts, readable by its owner only.

    Raises:
        DataFolderError: it is a file, or cannot be written.
    """
    try:
        for folder in (data_dir, *(data_dir / name for name in FOLDERS)):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except FileExistsError as error:
        raise DataFolderError(
            f"The data folder {data_dir} cannot be used: {error.filename} is a file. Move it away, "
            "or name another folder in STUDIO_DATA_DIR."
        ) from error
    except OSError as error:
        raise _unusable(data_dir, error) from error
    if not os.access(data_dir, os.W_OK | os.X_OK):
        raise _unusable(data_dir, PermissionError(0, "it cannot be written"))
    private = [data_dir, *data_dir.glob(f"{DATABASE_FILE}*"), data_dir / KEY_FILE]
    for path in private:
        _make_private(path)


def make_all_private(data_dir: Path) -> None:
    """Remove everybody else's permissions on all files of the folder; links are not followed."""
    for folder, folders, files in os.walk(data_dir):
        for name in (*folders, *files):
            _make_private(Path(folder) / name)


def load_secret_key(data_dir: Path) -> str:
    """Return the key kept in the data folder; make it on the first start.

    Two processes may start at the same moment: the one that links its file first wins, and both
    read that file.

    Raises:
        DataFolderError: the key cannot be read or written.
    """
    path = data_dir / KEY_FILE
    try:
        if not path.exists():
            prepare_data_dir(data_dir)
            _make_key(path)
        return path.read_text(encoding="utf-8").strip()
    except OSError as error:
        raise _unusable(data_dir, error) from error


def write_private(path: Path, text: str) -> None:
    """Write a file that only its owner may read."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)


def _make_key(path: Path) -> None:
    draft = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    try:
        write_private(draft, secrets.token_urlsafe(48))
        with suppress(FileExistsError):
            os.link(draft, path)
    finally:
        draft.unlink(missing_ok=True)


def _make_private(path: Path) -> None:
    # Files that belong to somebody else, or that are gone, stay as they are.
    with suppress(PermissionError, FileNotFoundError):
        mode = path.lstat().st_mode
        if not stat.S_ISLNK(mode) and mode & _NOT_OURS:
            path.chmod(stat.S_IMODE(mode) & ~_NOT_OURS)


def _unusable(data_dir: Path, error: OSError) -> DataFolderError:
    return DataFolderError(
        f"The data folder {data_dir} cannot be used: {error.strerror}. Give yourself the right to "
        "write there, free some space, or name another folder in STUDIO_DATA_DIR."
    )
