"""One studio per data folder: a lock that the system drops when its holder dies."""

import fcntl
import json
import os
from pathlib import Path
from typing import Self

from django.conf import settings

from tapes_app.engine.errors import ConflictError


class InstanceLock:
    """Holds `lock` in the data folder and shows others who holds it."""

    def __init__(self, data_dir: Path) -> None:
        self._data_dir = data_dir
        self._file = (data_dir / "lock").open("a+", encoding="utf-8")

    def __enter__(self) -> Self:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = read_holder(self._data_dir)
            self._file.close()
            raise ConflictError(
                f"Another studio is already using the data folder {self._data_dir} "
                f"(process {holder.get('pid', '?')}, {holder.get('url', 'still starting')}). "
                "Use it, stop it, or choose another folder with --data-dir."
            ) from None
        self.describe(url=None)
        return self

    def __exit__(self, *_: object) -> None:
        self._file.truncate(0)
        self._file.close()

    def describe(self, *, url: str | None) -> None:
        """Record who holds the lock and the address at which it answers."""
        holder = {"pid": os.getpid()} | ({"url": url} if url else {})
        self._file.seek(0)
        self._file.truncate(0)
        self._file.write(json.dumps(holder))
        self._file.flush()


def is_held(data_dir: Path) -> bool:
    """Return whether a living studio holds the data folder."""
    try:
        with (data_dir / "lock").open("a+", encoding="utf-8") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    return False


def read_holder(data_dir: Path) -> dict[str, str | int]:
    """Return what the holder wrote; empty if nobody holds the lock or nothing is written."""
    try:
        holder = json.loads((data_dir / "lock").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return holder if isinstance(holder, dict) else {}


def read_address() -> str:
    """Return the address of the studio running on this data folder, or the one it would use."""
    if settings.STUDIO_PUBLIC_URL:
        return str(settings.STUDIO_PUBLIC_URL)
    url = read_holder(settings.STUDIO_DATA_DIR).get("url")
    return str(url or f"http://{settings.STUDIO_HOST}:{settings.STUDIO_PORT}")
