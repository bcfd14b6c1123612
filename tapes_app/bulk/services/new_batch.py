"""Bulk jobs that create a child of each tape, in a new batch with the id of the job."""

from collections.abc import Collection, Sequence
from uuid import UUID

from tapes_app.bulk.store.made_batches import Discarded, discard_batch, list_parents
from tapes_app.engine.errors import ConflictError
from tapes_app.jobs.domain.protocol import FINAL_STATES
from tapes_app.jobs.services.context import JobContext
from tapes_app.library.services.bulk_job import BulkJob, Made, Plan, load_bulk_job
from tapes_app.projects.services.people import Person


class NewBatchJob(BulkJob[Plan, Made]):
    """A bulk job that puts all its tapes into one batch; discarding the batch undoes the job."""

    def __init__(self, context: JobContext) -> None:
        super().__init__(context)
        self.tape_count = 0
        """How many tapes are in the batch, including those of an attempt that died."""

    def begin(self) -> Collection[UUID]:
        made = list_parents(self.job.id, self.job.project_id)
        self.tape_count = len(made)
        return {*made, *made.values()}  # the list may contain the new tapes, too

    def count_made(self, made: Sequence[Made]) -> None:
        self.tape_count += len(made)

    @staticmethod
    def discard(job_id: UUID, project: UUID) -> object:
        return discard_batch(job_id, project)


def undo_new_batch(person: Person, job_id: UUID, kind: str) -> Discarded:
    """Remove the tapes that a job made from the lists, and delete their batch.

    Tapes that have children or that a job works on stay.

    Raises:
        NotFoundError: the project has no job of this id and kind.
        ConflictError: the job has not finished yet.
    """
    job = load_bulk_job(person, job_id, kind)
    if job.state not in FINAL_STATES:
        raise ConflictError(f"This {kind} is {job.state}; cancel it first.", state=job.state)
    return discard_batch(job.id, person.project_id)
