"""The import job: imports files that were uploaded to the data folder into the project."""

import shutil
from functools import partial
from pathlib import Path
from uuid import UUID

from django.conf import settings
from pydantic import BaseModel, ConfigDict

from tapes_app.artefacts.opening import artefacts
from tapes_app.exchange.services.import_files import discard_last_part, import_files
from tapes_app.exchange.services.import_report import ImportReport, describe_report, summarize
from tapes_app.exchange.services.upload_lock import artefact_of, removing_uploads, uploads_folder
from tapes_app.interchange.folders import ImportFile
from tapes_app.jobs.services.context import JobContext
from tapes_app.jobs.services.registry import Outcome, job_kind
from tapes_app.jobs.store.job import load_job
from tapes_app.lint.services.linting import lint_and_keep, list_stale_tapes

IMPORT_KIND = "import"


class ImportRequest(BaseModel):
    """The request of such a job: files with server-made names, and the batch's name.

    The paths are relative to the data folder, which may be restored somewhere else.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    files: list[ImportFile]
    batch: str


@job_kind(IMPORT_KIND)
async def execute_import(context: JobContext) -> Outcome:
    """Import the files of a job; refused files are listed in its result and the others continue."""
    request = find_files(ImportRequest.model_validate(context.job.request))
    done = context.job.checkpoint
    if done is None:
        await context.run_in_thread(_fetch, context, request)
        report = await context.run_in_thread(_import, context, request)
        await context.run_in_thread(_lint, context, report)
        done = {"message": summarize(report), "result": describe_report(report)}
        # Without its files a worker that takes the import over could not tell what they held.
        await context.checkpoint(done)
    await context.run_in_thread(_remove_uploads, context, request)
    return Outcome(message=done["message"], result=done["result"])


def leave_no_piece(project_id: UUID, job_id: UUID) -> None:
    """Discard the file that an import was storing when it ended while nobody worked on it."""
    job = load_job(project_id, job_id)
    if job.checkpoint is None:
        request = ImportRequest.model_validate(job.request)
        discard_last_part(project_id, request.batch, job.id, len(request.files))


def find_files(request: ImportRequest) -> ImportRequest:
    """Return the request with the location of its files."""
    data_dir = Path(settings.STUDIO_DATA_DIR)
    placed = [file.model_copy(update={"path": data_dir / file.path}) for file in request.files]
    return request.model_copy(update={"files": placed})


def _fetch(context: JobContext, request: ImportRequest) -> None:
    """Make the files of an import available on this machine."""
    if not all(file.path.is_file() for file in request.files):
        artefacts().fetch(artefact_of(context.job.id))


def _import(context: JobContext, request: ImportRequest) -> ImportReport:
    return import_files(
        context.job.project_id,
        request.files,
        batch_name=request.batch,
        owner=context.job.owner_id,
        import_id=context.job.id,
        commit=context.write_in_thread,
        report=context.report_or_stop,
    )


def _lint(context: JobContext, report: ImportReport) -> None:
    """Lint what is new in the batch, so that lists can show findings."""
    if report.batch_id is None:
        return
    project = context.job.project_id
    ids = list_stale_tapes(project, batch_id=report.batch_id)
    report_progress = partial(context.report_or_stop, message="Linting")
    for _ in lint_and_keep(project, ids, commit=context.write_in_thread, report=report_progress):
        pass


def _remove_uploads(context: JobContext, request: ImportRequest) -> None:
    """Remove the uploaded files; a file that is stored anywhere else is left alone."""
    uploads = uploads_folder().resolve()
    # Uploads that waited while the studio was upgraded may be in differently named folders.
    folders = {file.path.parent.resolve() for file in request.files}
    with removing_uploads():
        artefacts().remove(artefact_of(context.job.id))
        for folder in folders:
            if folder.parent == uploads:
                shutil.rmtree(folder, ignore_errors=True)
