"""Files that wait to be imported stay where they are while a backup notes them."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import UUID

from django.conf import settings

_KIND = "uploads"


def uploads_folder() -> Path:
    folder = Path(settings.STUDIO_DATA_DIR) / _KIND
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def artefact_of(job_id: UUID) -> str:
    """Return what the store of artefacts calls the files of an import."""
    return f"{_KIND}/{job_id}"


@contextmanager
def keeping_uploads() -> Iterator[None]:
    """Have no job remove its files meanwhile, so that those of the jobs at one moment are there."""
    with _holding_lock(fcntl.LOCK_EX):
        yield


@contextmanager
def removing_uploads() -> Iterator[None]:
    """Wait until nobody needs the files to stay; many may remove theirs at once."""
    with _holding_lock(fcntl.LOCK_SH):
        yield


@contextmanager
def _holding_lock(kind: int) -> Iterator[None]:
    with (uploads_folder() / "lock").open("a") as file:
        fcntl.flock(file, kind)
        yield
