"""`/training-sets`: frozen sets of examples, made from tapes by a job."""

from typing import Annotated, Any, Literal
from uuid import UUID

from django.http import HttpResponseBase
from ninja import Query, Status
from pydantic import Field

from optimize_app.training_sets.services import set_exports
from optimize_app.training_sets.services.request import SET_KIND, TrainingSetRequest
from optimize_app.training_sets.services.set_exports import FormatRow
from optimize_app.training_sets.services.set_jobs import start_training_set
from optimize_app.training_sets.set_formats import SetFormat
from optimize_app.training_sets.splitting import Side
from optimize_app.training_sets.store import example_index, sets
from optimize_app.training_sets.store.example_index import (
    Example,
    ExampleFilter,
    ExampleRows,
)
from optimize_app.training_sets.store.sets import TrainingSetRow
from tapes_app.jobs.api.schemas import JobOut
from tapes_app.jobs.services.listeners import ShownJob, show_job
from tapes_app.library.services.bulk_job import load_bulk_result
from tapes_app.projects.api.file_answers import answer_download
from tapes_app.projects.api.people import PersonRequest, make_router
from tapes_app.projects.domain.rows import Page

router = make_router("training sets")
Limit = Annotated[int, Field(ge=1, le=200)]
Length = Annotated[int | None, Field(ge=0, le=2**31)]
Text = Annotated[str, Field(max_length=300)]


@router.get("", response=Page[TrainingSetRow])
def list_training_sets(
    request: PersonRequest, after: str | None = None, limit: Limit = 50
) -> Page[TrainingSetRow]:
    """List training sets, newest first."""
    return sets.list_sets(request.auth.project_id, after=after, limit=limit)


@router.post("", response={202: JobOut})
def make_training_set(request: PersonRequest, body: TrainingSetRequest) -> Status[ShownJob]:
    """Make a training set from tapes, as a job.

    A task is never split, so that nothing held out is learnt; equal examples are used once; tapes
    of the test split and those excluded from training are left out.
    """
    return Status(202, show_job(start_training_set(request.auth, body)))


@router.get("/jobs/{job_id}", response=dict[str, Any])
def show_training_set_result(request: PersonRequest, job_id: UUID) -> dict[str, Any]:
    """Return the result of making a set, once it has finished."""
    return load_bulk_result(request.auth, job_id, SET_KIND)


@router.get("/{training_set_id}", response=TrainingSetRow)
def show_training_set(request: PersonRequest, training_set_id: UUID) -> TrainingSetRow:
    """Return a training set: its counts, its hash and what was left out."""
    return sets.load_set(training_set_id, request.auth.project_id)


@router.get("/{training_set_id}/formats", response=list[FormatRow])
def list_formats(request: PersonRequest, training_set_id: UUID) -> list[FormatRow]:
    """List the formats that a set can be exported in, with what each cannot hold of it."""
    return set_exports.list_formats(request.auth, training_set_id)


@router.get("/{training_set_id}/export")
def export_training_set(
    request: PersonRequest,
    training_set_id: UUID,
    file_format: Annotated[SetFormat, Query(alias="format")] = "examples",
    side: Side = "train",
) -> HttpResponseBase:
    """Download the examples of one side as JSON lines.

    `examples` as they are; `trl` as prompts with completions or pairs, in messages; `openai` as
    chats or preferences for its fine-tuning.
    """
    return answer_download(set_exports.export_set(request.auth, training_set_id, file_format, side))


@router.get("/{training_set_id}/examples", response=ExampleRows)
def list_examples(
    request: PersonRequest,
    training_set_id: UUID,
    side: Side | None = None,
    example: Annotated[list[Text], Query()] = [],  # noqa: B006 - ninja reads it
    text: Text = "",
    writer: Literal["person", "model"] | None = None,
    shortest: Length = None,
    longest: Length = None,
    start: Annotated[int, Field(ge=0)] = 0,
    limit: Limit = 50,
) -> ExampleRows:
    """List examples in their order, optionally filtered by id or by content.

    `text` must occur in the id of the example or of its tape, or in the beginning of its question
    or answer; `shortest` and `longest` are in characters.
    """
    wanted = ExampleFilter(
        side=side,
        ids=frozenset(example),
        text=text,
        writer=writer,
        shortest=shortest,
        longest=longest,
    )
    project = request.auth.project_id
    return example_index.list_rows(training_set_id, project, wanted, start=start, limit=limit)


@router.get("/{training_set_id}/example", response=Example)
def show_example(request: PersonRequest, training_set_id: UUID, example: Text) -> Example:
    """Return one example by its id, with its complete prompt."""
    return example_index.load_example(training_set_id, request.auth.project_id, example)
