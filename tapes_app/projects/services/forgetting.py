"""A project forgotten: all of its rows and files deleted, with a report of what went."""

from pathlib import Path
from shutil import rmtree
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction

from tapes_app.engine.errors import ConflictError
from tapes_app.projects.services.leaving import tell_of_leaving
from tapes_app.projects.store import forgetting
from tapes_app.projects.wording import count_of

Report = list[tuple[str, int]]
"""What went: a title and how many."""

_FOLDERS_OF_JOBS = ("exports", "finetunes", "servers")
"""Folders of the data folder in which each job has one of its own, called by its id."""


def count_rows(project_id: UUID) -> Report:
    """Return how many rows a project has, by table; tables without any are left out."""
    return [(title, count) for title, count in forgetting.count_rows(project_id) if count]


def forget_project(project_id: UUID) -> Report:
    """Delete a project with everything that belongs to it alone.

    Messages that other projects' calls have too stay theirs. Who made something keeps their
    account.

    Raises:
        NotFoundError: no such project.
        ConflictError: it works, or something of it is recorded at this moment.
    """
    try:
        with transaction.atomic():
            active = forgetting.lock_and_count_active_jobs(project_id)
            if active:
                raise ConflictError(
                    f"{count_of(active, 'job')} of this project are not over; cancel them first."
                )
            jobs = forgetting.list_jobs(project_id)
            files = forgetting.list_file_names(project_id)
            gone = forgetting.delete_rows(project_id)
    except IntegrityError as error:
        raise ConflictError(
            "Something of this project was recorded meanwhile; try again in a moment."
        ) from error
    folders = _remove_folders(jobs, files)
    tell_of_leaving()
    report = [(title, count) for title, count in gone if count]
    return [*report, ("Folders of files", folders)] if folders else report


def _remove_folders(jobs: set[str], sets: set[str]) -> int:
    data_dir = Path(settings.STUDIO_DATA_DIR)
    count = 0
    for parent, names in [
        *((data_dir / name, jobs) for name in _FOLDERS_OF_JOBS),
        (data_dir / "training_sets", sets),
    ]:
        for folder in [child for child in _children(parent) if child.name in names]:
            rmtree(folder, ignore_errors=True)
            count += 1
    return count


def _children(folder: Path) -> list[Path]:
    return list(folder.iterdir()) if folder.is_dir() else []
