"""`/batches`, `/uploads` and the downloads: files in and out."""

from typing import Annotated, Any
from uuid import UUID

from django.http import HttpResponseBase
from ninja import File, Form, Query, Status
from ninja.files import UploadedFile
from pydantic import Field

from tapes_app.exchange.services import downloads, export_jobs, uploads
from tapes_app.exchange.services.export_request import EXPORT_KIND, ExportRequest
from tapes_app.interchange.lost_parts import LostPart
from tapes_app.jobs.api.schemas import JobOut
from tapes_app.jobs.services.listeners import ShownJob, show_job
from tapes_app.library.services.bulk_job import load_bulk_result
from tapes_app.projects.api.bodies import Out
from tapes_app.projects.api.file_answers import answer_download, answer_resumable
from tapes_app.projects.api.people import PersonRequest, make_router
from tapes_app.projects.domain.left_out import LeftOutTapes

router = make_router("batches")


class RefusedFileOut(Out):
    """A file from which nothing was imported."""

    file: str
    position: str
    reason: str


class UnfitTapeOut(Out):
    """A tape that the format of an export cannot represent."""

    tape_id: UUID
    why: str


class ExportResultOut(Out):
    """The `result` of an export job."""

    format: str
    file_name: str
    size_bytes: int
    tapes: int
    lines: int
    """Lines of the file, rows of the table, or files in the zip."""

    lost: list[LostPart] = Field(default_factory=list)
    """What the format cannot hold of the tapes that were written."""

    left_out: list[LeftOutTapes]
    unfit: list[UnfitTapeOut] = Field(default_factory=list)
    """The first 50 tapes that were left out because the format cannot represent them."""


class UnmappedOut(Out):
    """Data of imported tapes that was kept but is not shown by any step."""

    what: str
    tape_count: int


class ImportResultOut(Out):
    """The `result` of an import job."""

    batch_id: UUID | None
    batch_name: str
    imported: int
    already_there: int
    llm_calls: int
    llm_calls_already_there: int = 0
    refused: list[RefusedFileOut]
    unmapped: list[UnmappedOut] = Field(default_factory=list)
    attacks_left_out: int = 0
    """Tapes whose task had an attack in the file: runs on them plant nothing."""


@router.get("/{batch_id}/export")
def export_batch(request: PersonRequest, batch_id: UUID) -> HttpResponseBase:
    """Download the tapes of a batch as TapeAgents files in a zip."""
    return answer_download(downloads.export_batch(request.auth, batch_id))


tape_exports = make_router("batches")


@tape_exports.get("/{tape_id}/export")
def export_tape(request: PersonRequest, tape_id: UUID) -> HttpResponseBase:
    """Download one tape with its LLM calls as TapeAgents files in a zip."""
    return answer_download(downloads.export_tapes(request.auth, [tape_id]))


exports = make_router("batches")


@exports.get("")
def export_tapes(
    request: PersonRequest, tape: Annotated[list[UUID], Query(min_length=1, max_length=1000)]
) -> HttpResponseBase:
    """Download several tapes as TapeAgents files in a zip."""
    return answer_download(downloads.export_tapes(request.auth, tape))


@exports.post("", response={202: JobOut})
def start_export(request: PersonRequest, body: ExportRequest) -> Status[ShownJob]:
    """Write tapes to one file in a job.

    TapeAgents files in a zip, OpenAI chat, ShareGPT, preference pairs, CSV or Parquet.

    Training formats leave out tapes excluded from training and those of another split.
    """
    return Status(202, show_job(export_jobs.start_export(request.auth, body)))


@exports.get("/{job_id}", response=ExportResultOut)
def show_export(request: PersonRequest, job_id: UUID) -> dict[str, Any]:
    """Return the result of an export, once it has finished."""
    return load_bulk_result(request.auth, job_id, EXPORT_KIND)


@exports.get("/{job_id}/file")
def download_export(request: PersonRequest, job_id: UUID) -> HttpResponseBase:
    """Download the file of an export; `Range` resumes an interrupted download."""
    return answer_resumable(request, export_jobs.load_export(request.auth, job_id))


upload_router = make_router("uploads")


@upload_router.post("", response={202: JobOut})
def upload_files(
    request: PersonRequest,
    files: File[list[UploadedFile]],
    batch: Annotated[str, Form(max_length=300)] = "",
    paths: Annotated[list[str], Form()] = [],  # noqa: B006  # ninja reads it, nobody changes it
) -> Status[ShownJob]:
    """Upload files and import them in a job, whose result lists each file.

    `paths`: the path of each file in the chosen folder, if a folder was chosen.
    """
    return Status(
        202, show_job(uploads.start_upload(request.auth, files, paths=paths, batch=batch))
    )


@upload_router.get("/{job_id}", response=ImportResultOut)
def show_upload(request: PersonRequest, job_id: UUID) -> dict[str, Any]:
    """Return the result of an upload, once it has finished."""
    return uploads.load_import_result(request.auth, job_id)
