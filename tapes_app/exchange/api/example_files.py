"""`/example-files`: rows of JSON Lines, CSV and Parquet files as examples of a dataset."""

from typing import Any
from uuid import UUID

from django.http import StreamingHttpResponse
from ninja import File, Status
from ninja.files import UploadedFile

from tapes_app.exchange.domain.example_mapping import ExampleMapping
from tapes_app.exchange.services import example_files, example_imports, task_files
from tapes_app.exchange.services.example_files import ExampleFile, ExamplePreview
from tapes_app.exchange.services.example_imports import EXAMPLES_KIND, ExampleImport
from tapes_app.jobs.api.schemas import JobOut
from tapes_app.jobs.services.listeners import ShownJob, show_job
from tapes_app.library.services.bulk_job import load_bulk_result
from tapes_app.projects.api.bodies import Out
from tapes_app.projects.api.file_answers import answer_download
from tapes_app.projects.api.people import PersonRequest, created, make_router

router = make_router("datasets")
tasks = make_router("datasets")


class RowsOut(Out):
    """Rows that did not become examples, or of which something is lost."""

    why: str
    count: int
    first_row: int


class ImportedExamplesOut(Out):
    """The `result` of an import of examples."""

    dataset: str
    batch: str
    dataset_id: UUID | None
    batch_id: UUID | None
    """Null if no tape is new."""

    undo: UUID | None
    """Id for `/datasets/changes/{id}/undo`, which removes the tapes from the dataset again."""

    rows: int
    made: int
    already_there: int
    """Equal examples that the project already had; they are in the dataset now."""

    left_out: list[RowsOut]
    lost: list[RowsOut]
    """Examples that could only be imported in part."""


@tasks.get("/{dataset_id}/tasks.jsonl")
def export_tasks(request: PersonRequest, dataset_id: UUID) -> StreamingHttpResponse:
    """Download the tasks of a dataset as a file that an import of examples can read.

    Refused if a tape begins with more than a person's messages, which no row can contain.
    """
    return answer_download(task_files.export_tasks(request.auth, dataset_id))


@router.post("", response=created(ExampleFile))
def keep_file(request: PersonRequest, file: File[UploadedFile]) -> Status[ExampleFile]:
    """Upload a file of examples and return its columns; no tapes are created yet.

    It is kept for a day.
    """
    return Status(201, example_files.keep_file(request.auth, file))


@router.get("/imports/{job_id}", response=ImportedExamplesOut)
def show_import(request: PersonRequest, job_id: UUID) -> dict[str, Any]:
    """Return the result of an import of examples, once it has finished."""
    return load_bulk_result(request.auth, job_id, EXAMPLES_KIND)


@router.get("/{file_id}", response=ExampleFile)
def show_file(request: PersonRequest, file_id: UUID) -> ExampleFile:
    """Return the columns of an uploaded file."""
    return example_files.load_file(request.auth, file_id)


@router.post("/{file_id}/preview", response=ExamplePreview)
def preview_examples(request: PersonRequest, file_id: UUID, body: ExampleMapping) -> ExamplePreview:
    """Return what the first thousand rows would become, and which would be skipped; write none."""
    return example_files.preview_examples(request.auth, file_id, body)


@router.post("/{file_id}/import", response={202: JobOut})
def import_examples(request: PersonRequest, file_id: UUID, body: ExampleImport) -> Status[ShownJob]:
    """Create a start tape from each row in a job, and add all of them to a dataset in one go."""
    return Status(202, show_job(example_imports.start_import(request.auth, file_id, body)))
