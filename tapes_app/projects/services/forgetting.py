"""Forgetting a project: deletes all of its rows and files, and reports what was deleted."""

from pathlib import Path, PurePosixPath
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction

from tapes_app.artefacts.opening import artefacts
from tapes_app.engine.errors import ConflictError
from tapes_app.projects.domain.wording import count_of
from tapes_app.projects.services.members import notify_leaving
from tapes_app.projects.store import forgetting

Report = list[tuple[str, int]]
"""What was deleted: a title and a count."""

_FOLDERS_OF_JOBS = ("exports", "finetunes", "servers", "studies", "uploads")
"""Subfolders of the data folder in which each job has a folder named by its id."""


def forget_project(project_id: UUID) -> Report:
    """Delete a project with everything that belongs to it alone.

    Messages that are also in other projects' calls stay. The accounts of people who made something
    stay too.

    Raises:
        NotFoundError: there is no such project.
        ConflictError: the project has active jobs, or something is being recorded in it right now.
        ArtefactError: the artefact store cannot be reached; nothing is deleted unless that
            happens while folders are being removed.
    """
    try:
        with transaction.atomic():
            active = forgetting.lock_and_count_active_jobs(project_id)
            if active:
                raise ConflictError(
                    f"{count_of(active, 'job')} of this project are not over; cancel them first."
                )
            # First, so that nothing is deleted while the artefact store is unavailable.
            folders = list_folders(project_id)
            deleted = forgetting.delete_rows(project_id)
    except IntegrityError as error:
        raise ConflictError(
            "Something of this project was recorded in the meantime; try again in a moment."
        ) from error
    notify_leaving()
    store = artefacts()
    for artefact in folders:
        store.remove(artefact)
    report = [(title, count) for title, count in deleted if count]
    return [*report, ("Folders of files", len(folders))] if folders else report


def list_folders(project_id: UUID) -> list[str]:
    """Return the artefacts that only this project has: of its jobs, sets and uploaded examples."""
    jobs = forgetting.list_jobs(project_id)
    sets = forgetting.list_file_names(project_id)
    of_jobs = [name for kind in _FOLDERS_OF_JOBS for name in _list_artefacts(kind)]
    of_sets = _list_artefacts("training_sets")
    of_projects = _list_artefacts("example_files")  # each named by its project and its own id
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
