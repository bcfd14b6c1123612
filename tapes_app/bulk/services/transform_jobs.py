"""The transform job: children of many tapes in a new batch, all of them or none."""

from collections.abc import Collection, Sequence
from uuid import UUID

from pydantic import Field

from tapes_app.bulk.services.new_batch import NewBatchJob
from tapes_app.bulk.services.transforming import (
    Transformed,
    TransformSpec,
    check_transforms,
    transform_tape,
)
from tapes_app.bulk.store.made_batches import (
    check_new_name,
    discard_batch,
    ensure_made_batch,
    save_child,
)
from tapes_app.engine.errors import ArchivedError, NotFoundError, StudioError
from tapes_app.jobs.services.context import JobContext
from tapes_app.jobs.services.registry import Outcome, job_kind
from tapes_app.jobs.store.job import Job
from tapes_app.library.services.bulk_job import start_bulk_job
from tapes_app.library.services.selection import count_selection
from tapes_app.projects.domain.left_out import write_left_out
from tapes_app.projects.domain.wording import count_of
from tapes_app.projects.services.people import Person

TRANSFORM_KIND = "transform"


class TransformRequest(TransformSpec):
    """The request that the job of a transform stores."""

    batch_name: str = Field(min_length=1, max_length=300)
    """Name of the new batch that the children are put into."""


def start_transform(person: Person, request: TransformRequest) -> Job:
    """Queue the job that creates the children.

    Raises:
        NotFoundError: not all of the named tapes are in the project.
        InvalidInputError: the transform makes no sense, or the batch has no name.
        ConflictError: a batch of this name already exists.
    """
    check_transforms(request)
    name = check_new_name(person.project_id, request.batch_name)
    title = f"Transform {count_of(count_selection(person, request), 'tape')}"
    stored = request.model_copy(update={"batch_name": name})
    return start_bulk_job(person, TRANSFORM_KIND, stored, title=title)


class _TransformJob(NewBatchJob[Transformed, int]):
    """Creates the children; each result is how many of a child's steps are new."""

    progress_message = "Transforming"

    def __init__(self, context: JobContext) -> None:
        super().__init__(context)
        self.request = TransformRequest.model_validate(self.job.request)
        self.step_count = 0

    @property
    def selection(self) -> TransformRequest:
        return self.request

    def begin(self) -> Collection[UUID]:
        check_transforms(self.request)  # a plugin may have been removed since
        job = self.job
        ensure_made_batch(job.id, job.project_id, self.request.batch_name, owner=job.owner_id)
        return super().begin()

    def plan(self, tape_id: UUID) -> Transformed | None:
        project = self.job.project_id
        return transform_tape(project, tape_id, self.request.transforms, author="transform")

    def write(self, plan: Transformed) -> int:
        job = self.job
        save_child(plan.child, job.project_id, batch_id=job.id, owner=job.owner_id)
        return len(plan.changes)

    def count_made(self, made: Sequence[int]) -> None:
        super().count_made(made)
        self.step_count += sum(made)

    def explain(self, error: StudioError) -> str:
        match error:
            case ArchivedError():
                return "archived"
            case NotFoundError():
                return "deleted in the meantime"
            case _:
                return error.message

    def finish(self) -> Outcome:
        if not self.tape_count:
            discard_batch(self.job.id, self.job.project_id)
        result = {
            "batch_id": str(self.job.id) if self.tape_count else None,
            "batch_name": self.request.batch_name,
            "tapes": self.tape_count,
            "steps": self.step_count,
            "unchanged": self.unchanged,
            "left_out": write_left_out(self.left_out),
        }
        return Outcome(message=f"{count_of(self.tape_count, 'tape')} made.", result=result)


@job_kind(TRANSFORM_KIND)
async def execute_transform(context: JobContext) -> Outcome:
    """Create the children of a job; if a person cancels it, all of them are discarded."""
    return await _TransformJob.execute(context)
