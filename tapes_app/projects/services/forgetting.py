"""A project forgotten: all of its rows and files deleted, with a report of what went."""

from pathlib import Path, PurePosixPath
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction

from tapes_app.artefacts.opening import artefacts
from tapes_app.engine.errors import ConflictError
from tapes_app.projects.services.leaving import tell_of_leaving
from tapes_app.projects.store import forgetting
from tapes_app.projects.wording import count_of

Report = list[tuple[str, int]]
"""What went: a title and how many."""

_FOLDERS_OF_JOBS = ("exports", "finetunes", "servers", "uploads")
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
        ArtefactError: the store of artefacts cannot be reached; nothing is deleted unless that
            happens while folders are being removed.
    """
    try:
        with transaction.atomic():
            active = forgetting.lock_and_count_active_jobs(project_id)
            if active:
                raise ConflictError(
                    f"{count_of(active, 'job')} of this project are not over; cancel them first."
                )
            jobs = forgetting.list_jobs(project_id)
            sets = forgetting.list_file_names(project_id)
            # First: while the store of artefacts does not answer, nothing is deleted.
            folders = _find_folders(project_id, jobs, sets)
            gone = forgetting.delete_rows(project_id)
    except IntegrityError as error:
        raise ConflictError(
            "Something of this project was recorded meanwhile; try again in a moment."
        ) from error
    tell_of_leaving()
    store = artefacts()
    for artefact in folders:
        store.remove(artefact)
    report = [(title, count) for title, count in gone if count]
    return [*report, ("Folders of files", len(folders))] if folders else report


def _find_folders(project_id: UUID, jobs: set[str], sets: set[str]) -> list[str]:
    """Return the artefacts of a project, with those of these jobs and training sets."""
    of_jobs = [name for kind in _FOLDERS_OF_JOBS for name in _list_artefacts(kind)]
    of_sets = _list_artefacts("training_sets")
    of_projects = _list_artefacts("example_files")  # each called by its project, and its own id
    return [
        *(name for name in of_jobs if PurePosixPath(name).name in jobs),
        *(name for name in of_sets if PurePosixPath(name).name in sets),
        *(name for name in of_projects if PurePosixPath(name).name.startswith(f"{project_id}.")),
    ]


def _list_artefacts(kind: str) -> set[str]:
    """Return the artefacts of a kind, here and in the store."""
    folder = Path(settings.STUDIO_DATA_DIR) / kind
    here = {f"{kind}/{child.name}" for child in folder.iterdir()} if folder.is_dir() else set()
    return here.union(artefacts().list_names(kind))
