"""The export job: tapes are written to a file in the data folder, which is kept for a day."""

from dataclasses import asdict
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from pathlib import Path
from uuid import UUID

from django.conf import settings

from tapes_app.artefacts.opening import artefacts
from tapes_app.engine.errors import ConflictError, NotFoundError
from tapes_app.exchange.services.export_request import ENDINGS, EXPORT_KIND, ExportRequest
from tapes_app.exchange.services.export_writing import write_export
from tapes_app.interchange.folders import clean_name
from tapes_app.interchange.lost_parts import list_lost_parts
from tapes_app.jobs.services.context import JobContext
from tapes_app.jobs.services.registry import Outcome, job_kind
from tapes_app.jobs.store.job import Job
from tapes_app.library.services.bulk_job import load_bulk_job, start_bulk_job
from tapes_app.library.services.selection import count_selection
from tapes_app.projects.domain.left_out import write_left_out
from tapes_app.projects.domain.wording import count_of
from tapes_app.projects.services.downloads import Download
from tapes_app.projects.services.people import Person

_KIND = "exports"
_LIFETIME_SECONDS = 24 * 3600.0
_MOST_NAMED = 50
_WORDS = {
    "tapeagents": "TapeAgents files",
    "openai": "OpenAI chat",
    "sharegpt": "ShareGPT",
    "preferences": "preference pairs",
    "csv": "CSV",
    "parquet": "Parquet",
    "project": "project file",
}


def start_export(person: Person, request: ExportRequest) -> Job:
    """Queue the job that writes the file.

    Raises:
        NotFoundError: no such batch in the project, or not all of the tapes.
        QueryError: the query cannot be parsed.
    """
    count_selection(person, request)
    title = f"Export as {_WORDS[request.format]}"
    return start_bulk_job(person, EXPORT_KIND, request, title=title)


def start_project_export(person: Person) -> Job:
    """Queue the job that writes the person's entire project to a file."""
    return start_export(person, ExportRequest(format="project"))


@job_kind(EXPORT_KIND)
async def execute_export(context: JobContext) -> Outcome:
    """Write the file of a job; work of an attempt that died is done again."""
    return await context.run_in_thread(_write, context)


def _write(context: JobContext) -> Outcome:
    request = ExportRequest.model_validate(context.job.request)
    folder = folder_of(context.job.id)
    artefacts().remove_older(_KIND, _LIFETIME_SECONDS)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    # A worker that was presumed dead may still write, so each attempt has its own file.
    part = folder / f".part-{context.job.attempt}"

    report = partial(context.report_or_stop, message="Writing")
    try:
        count = write_export(context.job.project_id, request.to_filter(), request, part, report)
        part.replace(folder / "file")
        artefacts().publish(_artefact_of(context.job.id), attempt=context.job.attempt)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    size = (folder / "file").stat().st_size
    result = {
        "format": request.format,
        "file_name": file_name_of(request),
        "size_bytes": size,
        "tapes": count.tapes,
        "lines": count.lines,
        "lost": [asdict(part) for part in list_lost_parts(count.lost)],
        "left_out": write_left_out(count.left_out),
        "unfit": [
            {"tape_id": str(tape_id), "why": why}
            for tape_id, why in islice(count.unfit.items(), _MOST_NAMED)
        ],
    }
    return Outcome(message=f"{count_of(count.tapes, 'tape')} exported.", result=result)


def load_export(person: Person, job_id: UUID) -> Download:
    """Return the file of a finished export. It is kept, because it may be requested again.

    Raises:
        NotFoundError: there is no such export, or its file was removed after a day.
        ConflictError: the export has not finished yet, or it failed.
    """
    return open_export(load_bulk_job(person, job_id, EXPORT_KIND))


def open_export(job: Job) -> Download:
    """Return the file of an export whose job is loaded.

    Raises:
        NotFoundError: its file was removed after a day.
        ConflictError: the export has not finished yet, or it failed.
        ArtefactError: it is on another machine, and the artefact store cannot be reached.
    """
    if job.state != "succeeded" or job.result is None:
        raise ConflictError(f"This export has no file: it is {job.state}.", state=job.state)
    path = folder_of(job.id) / "file"
    if not path.is_file():
        artefacts().fetch(_artefact_of(job.id))
    if not path.is_file():
        raise NotFoundError("Export files are deleted after a day; export again.")
    content_type = ENDINGS[ExportRequest.model_validate(job.request).format][1]
    return Download(path, str(job.result["file_name"]), path.parent, content_type)


def file_name_of(request: ExportRequest) -> str:
    """Return a file name for an export that is written now, valid on any system."""
    moment = datetime.now(UTC).strftime("%Y-%m-%d %H%M%S")
    split = f" {request.split}" if request.is_for_training else ""
    what = "project" if request.format == "project" else f"tapes {request.format}"
    return clean_name(f"{what}{split} {moment}{ENDINGS[request.format][0]}")


def folder_of(job_id: UUID) -> Path:
    """Return the folder of an export's file."""
    return Path(settings.STUDIO_DATA_DIR) / _artefact_of(job_id)


def _artefact_of(job_id: UUID) -> str:
    return f"{_KIND}/{job_id}"
