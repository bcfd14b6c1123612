"""`/example-files`: rows of JSON Lines, CSV and Parquet as examples of a dataset."""

from typing import Any
from uuid import UUID

from django.http import StreamingHttpResponse
from ninja import File, Status
from ninja.files import UploadedFile

from tapes_app.exchange.api.schemas import ImportedExamplesOut
from tapes_app.exchange.example_mapping import ExampleMapping
from tapes_app.exchange.services import example_files, example_imports, task_files
from tapes_app.exchange.services.example_files import ExampleFile, ExamplePreview
from tapes_app.exchange.services.example_imports import EXAMPLES_KIND, ExampleImport
from tapes_app.jobs.api.schemas import JobOut
from tapes_app.jobs.store.job import Job
from tapes_app.library.services.bulk_job import load_bulk_result
from tapes_app.projects.api.file_answers import answer_download
from tapes_app.projects.api.people import PersonRequest, created, make_router

router = make_router("datasets")
tasks = make_router("datasets")


@tasks.get("/{dataset_id}/tasks.jsonl")
def export_tasks(request: PersonRequest, dataset_id: UUID) -> StreamingHttpResponse:
    """Download the tasks of a dataset as a file that an import of examples reads again.

    Refused where a tape begins with more than words of a person, which no row can say.
    """
    return answer_download(task_files.export_tasks(request.auth, dataset_id))


@router.post("", response=created(ExampleFile))
def keep_file(request: PersonRequest, file: File[UploadedFile]) -> Status[ExampleFile]:
    """Take a file of examples and say which columns it has; nothing is made of it yet.

    It waits for a day.
    """
    return Status(201, example_files.keep_file(request.auth, file))


@router.get("/imports/{job_id}", response=ImportedExamplesOut)
def show_import(request: PersonRequest, job_id: UUID) -> dict[str, Any]:
    """Return the result of an import of examples, once it has finished."""
    return load_bulk_result(request.auth, job_id, EXAMPLES_KIND)


@router.get("/{file_id}", response=ExampleFile)
def show_file(request: PersonRequest, file_id: UUID) -> ExampleFile:
    """Say which columns a file has that waits."""
    return example_files.load_file(request.auth, file_id)


@router.post("/{file_id}/preview", response=ExamplePreview)
def preview_examples(request: PersonRequest, file_id: UUID, body: ExampleMapping) -> ExamplePreview:
    """Say what the first thousand rows would become, and what would be left out; write nothing."""
    return example_files.preview_examples(request.auth, file_id, body)


@router.post("/{file_id}/import", response={202: JobOut})
def import_examples(request: PersonRequest, file_id: UUID, body: ExampleImport) -> Status[Job]:
    """Make a start tape of each row in a job, and put all of them into a dataset at once."""
    return Status(202, example_imports.start_import(request.auth, file_id, body))
