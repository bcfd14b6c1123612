"""Tapes as files to download: written into a temporary file that is deleted after it was sent."""

import shutil
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp

from django.conf import settings

_LIFETIME_SECONDS = 3600.0


@dataclass(frozen=True)
class Download:
    """A file that is ready to be sent; `folder` is deleted afterwards."""

    path: Path
    name: str
    folder: Path
    content_type: str = "application/zip"

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


def write_download(name: str, ending: str, content_type: str, pieces: Iterable[str]) -> Download:
    """Write a text piece by piece; return it as a file with a name valid on any system."""

    def write(path: Path) -> None:
        with path.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(pieces)

    return write_file(name, ending, content_type, write)


def write_file(
    name: str, ending: str, content_type: str, write: Callable[[Path], None]
) -> Download:
    """Have a file written; return it with a name valid on any system."""
    folder = _make_folder()
    path = folder / "download"
    try:
        write(path)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return Download(path, f"{name or 'tape'}{ending}", folder, content_type)


def _make_folder() -> Path:
    """Make a folder for one download, and delete those that were never fetched completely."""
    parent = Path(settings.STUDIO_DATA_DIR) / "downloads"
    parent.mkdir(mode=0o700, exist_ok=True)
    for old in parent.iterdir():
        if old.stat().st_mtime < time.time() - _LIFETIME_SECONDS:
            shutil.rmtree(old, ignore_errors=True)
    return Path(mkdtemp(dir=parent))
