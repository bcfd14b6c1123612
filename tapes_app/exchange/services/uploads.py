"""Files that a browser uploads: stored under names of our own, then imported by a job."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile

from tapes_app.artefacts.opening import artefacts
from tapes_app.engine.errors import ConflictError, InvalidInputError, StudioError
from tapes_app.exchange.services.imports import IMPORT_KIND, ImportRequest
from tapes_app.exchange.services.upload_lock import artefact_of, removing_uploads, uploads_folder
from tapes_app.interchange.folders import ImportFile, clean_name, sort_for_import
from tapes_app.jobs.store.job import Job, create_job, list_succeeded, load_job
from tapes_app.projects.domain.columns import fit_text
from tapes_app.projects.services.people import Person

_BATCH_NAME_LENGTH = 300
Upload = UploadedFile[Any]
_JOB_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_ENDING = re.compile(r"(\.[a-z0-9]{1,8}){1,2}$", re.IGNORECASE)


class UploadTooLargeError(StudioError):
    """An upload exceeds the studio's limit."""

    code = "too_large"
    status = 413


def start_upload(
    person: Person,
    files: Sequence[Upload],
    *,
    paths: Sequence[str] = (),
    batch: str = "",
) -> Job:
    """Store files in the data folder and queue the job that imports them.

    `paths` are the paths of the files in the folder that the person chose, if any.

    Raises:
        InvalidInputError: there are no files, or not as many paths as files.
        UploadTooLargeError: together they exceed the studio's limit.
        ArtefactError: the artefact store cannot be reached.
    """
    if not files:
        raise InvalidInputError("Choose at least one file.")
    if paths and len(paths) != len(files):
        raise InvalidInputError(f"{len(files)} files were sent with {len(paths)} paths.")
    check_upload_size(sum(file.size or 0 for file in files))
    names = [
        clean_name(path or file.name or "") or f"file {number}"
        for number, (file, path) in enumerate(
            zip(files, paths or [""] * len(files), strict=True), start=1
        )
    ]
    _remove_imported()
    job_id = uuid4()
    artefact = artefact_of(job_id)
    try:
        stored = sort_for_import(_store(uploads_folder() / str(job_id), files, names))
        artefacts().publish(artefact)
        return _create_import(person, job_id, stored, batch=_name_batch(batch, names))
    except BaseException:
        artefacts().remove(artefact)
        raise


def load_import_result(person: Person, job_id: UUID) -> dict[str, Any]:
    """Return the result of an upload.

    Raises:
        ConflictError: the job has not finished yet, or it failed.
    """
    job = load_job(person.project_id, job_id)
    if job.kind != IMPORT_KIND or job.result is None:
        raise ConflictError(f"Job {str(job_id)!r} has no import result: it is {job.state}.")
    return job.result


def _create_import(person: Person, job_id: UUID, files: list[ImportFile], *, batch: str) -> Job:
    data_dir = Path(settings.STUDIO_DATA_DIR)
    placed = [file.model_copy(update={"path": file.path.relative_to(data_dir)}) for file in files]
    return create_job(
        person.project_id,
        IMPORT_KIND,
        request=ImportRequest(files=placed, batch=batch).model_dump(mode="json"),
        title=f"Import {batch}",
        owner_id=person.user_id,
        job_id=job_id,
    )


def _remove_imported() -> None:
    """Remove files that other workers have imported: they have only removed their own copies."""
    names = [folder.name for folder in uploads_folder().iterdir()]
    imported = list_succeeded([UUID(name) for name in names if _JOB_ID.fullmatch(name)])
    with removing_uploads():
        for job_id in imported:
            artefacts().remove(artefact_of(job_id))


def _store(folder: Path, files: Sequence[Upload], names: Sequence[str]) -> list[ImportFile]:
    """Write the files; names given by a client never become paths."""
    folder.mkdir(mode=0o700)
    stored: list[ImportFile] = []
    for number, (file, name) in enumerate(zip(files, names, strict=True)):
        ending = _ENDING.search(name)
        path = folder / f"{number:05}{ending.group().lower() if ending else ''}"
        with path.open("wb") as target:
            for piece in file.chunks():
                target.write(piece)
        stored.append(ImportFile(path=path, name=name, is_asked_for=len(files) == 1))
    return stored


def check_upload_size(size: int) -> None:
    """Refuse an upload that exceeds the studio's limit.

    Raises:
        UploadTooLargeError: it exceeds the limit.
    """
    limit = settings.STUDIO_MAX_UPLOAD_BYTES
    if size > limit:
        raise UploadTooLargeError(
            f"The upload has {size} bytes; the limit is {limit}. Send fewer files, or import "
            "them with manage.py import_tapes.",
            limit=limit,
        )


def _name_batch(wanted: str, names: Sequence[str]) -> str:
    """Return the batch's name: the given one, else the folder's, else the file's with the time."""
    name = fit_text(" ".join(wanted.split()), _BATCH_NAME_LENGTH)
    if name:
        return name
    folders = {path.partition("/")[0] for path in names if "/" in path}
    if len(folders) == 1 and all("/" in path for path in names):
        return folders.pop()
    moment = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S")
    return f"{names[0][:200]} {moment}" if len(names) == 1 else f"upload {moment}"
