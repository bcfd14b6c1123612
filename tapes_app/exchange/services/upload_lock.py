"""Keeps files that wait to be imported in place while a backup records them."""

import fcntl
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from uuid import UUID

from django.conf import settings

_KIND = "uploads"


def uploads_folder() -> Path:
    folder = Path(settings.STUDIO_DATA_DIR) / _KIND
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def artefact_of(job_id: UUID) -> str:
    """Return the name of an import's files in the artefact store."""
    return f"{_KIND}/{job_id}"


def keeping_uploads() -> AbstractContextManager[None]:
    """Prevent jobs from removing their files meanwhile, so that all files of a moment are there."""
    return _holding_lock(fcntl.LOCK_EX)


def removing_uploads() -> AbstractContextManager[None]:
    """Wait until no backup needs the files; several jobs may remove theirs at the same time."""
    return _holding_lock(fcntl.LOCK_SH)


@contextmanager
def _holding_lock(kind: int) -> Iterator[None]:
    with (uploads_folder() / "lock").open("a") as file:
        fcntl.flock(file, kind)
        yield
