"""The data folder: its layout, its private files, and the key that is made in it."""

import os
import secrets
from pathlib import Path

_FOLDERS = ("broker/queue", "broker/done", "broker/control", "blobs", "workers", "logins", "logs")


def prepare_data_dir(data_dir: Path) -> None:
    """Make the folder and its parts, readable by its owner only."""
    data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    for folder in _FOLDERS:
        (data_dir / folder).mkdir(mode=0o700, parents=True, exist_ok=True)


def load_secret_key(data_dir: Path) -> str:
    """Return the key kept in the data folder; make it on the first start.

    Two processes may start at the same moment: the one that links its file first wins, and
    both read that one.
    """
    path = data_dir / "secret_key"
    if not path.exists():
        prepare_data_dir(data_dir)
        draft = data_dir / f"secret_key.{os.getpid()}.{secrets.token_hex(4)}"
        write_private(draft, secrets.token_urlsafe(48))
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_text(encoding="utf-8").strip()


def write_private(path: Path, text: str) -> None:
    """Write a file that only its owner may read."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
