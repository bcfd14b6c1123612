"""`/batches`, `/uploads` and the downloads: files in and out."""

from typing import Annotated, Any
from uuid import UUID

from django.http import HttpResponseBase
from ninja import File, Form, Query, Status
from ninja.files import UploadedFile

from tapes_app.exchange.api.schemas import ExportResultOut, ImportResultOut
from tapes_app.exchange.services import downloads, export_jobs, uploads
from tapes_app.exchange.services.export_request import EXPORT_KIND, ExportRequest
from tapes_app.jobs.api.schemas import JobOut
from tapes_app.jobs.store.job import Job
from tapes_app.library.services.bulk_job import load_bulk_result
from tapes_app.projects.api.file_answers import answer_download, answer_resumable
from tapes_app.projects.api.people import PersonRequest, make_router

router = make_router("batches")


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
def start_export(request: PersonRequest, body: ExportRequest) -> Status[Job]:
    """Write tapes into one file in a job.

    TapeAgents files in a zip, OpenAI chat, ShareGPT, preference pairs, CSV or Parquet.

    Tapes that are kept from training, and those of another split, are in no training format.
    """
    return Status(202, export_jobs.start_export(request.auth, body))


@exports.get("/{job_id}", response=ExportResultOut)
def show_export(request: PersonRequest, job_id: UUID) -> dict[str, Any]:
    """Return the result of an export, once it has finished."""
    return load_bulk_result(request.auth, job_id, EXPORT_KIND)


@exports.get("/{job_id}/file")
def download_export(request: PersonRequest, job_id: UUID) -> HttpResponseBase:
    """Download the file of an export; `Range` continues where a download broke off."""
    return answer_resumable(request, export_jobs.load_export(request.auth, job_id))


upload_router = make_router("uploads")


@upload_router.post("", response={202: JobOut})
def upload_files(
    request: PersonRequest,
    files: File[list[UploadedFile]],
    batch: Annotated[str, Form(max_length=300)] = "",
    paths: Annotated[list[str], Form()] = [],  # noqa: B006  # ninja reads it, nobody changes it
) -> Status[Job]:
    """Take files in and import them in a job; its result lists each file.

    `paths`: the place of each file in the folder that was chosen, when it was a folder.
    """
    return Status(202, uploads.start_upload(request.auth, files, paths=paths, batch=batch))


@upload_router.get("/{job_id}", response=ImportResultOut)
def show_upload(request: PersonRequest, job_id: UUID) -> dict[str, Any]:
    """Return the result of an upload, once it has finished."""
    return uploads.load_import_result(request.auth, job_id)
