"""The job of a re-run creates the new tapes and queues their runs, which then continue alone.

What it creates is an experiment without its own tape: each branch is a child of another tape. So
experiments provide the budget, stopping, retrying and judging.
"""

from collections.abc import Sequence
from functools import cached_property
from itertools import chain
from uuid import UUID

from tapes_app.agents.store import agents as agent_storage
from tapes_app.batches.services.rerun_preview import find_place
from tapes_app.batches.services.rerun_request import RERUN_KIND, RerunRequest
from tapes_app.bulk.services.new_batch import NewBatchJob
from tapes_app.bulk.store.made_batches import discard_batch
from tapes_app.experiments.services.attempts import Grid, begin_attempts, fork_attempts
from tapes_app.experiments.services.request import PlannedBranch, plan_branches
from tapes_app.experiments.store import experiments as storage
from tapes_app.experiments.store.experiments import NewBranch
from tapes_app.jobs.services.context import JobContext
from tapes_app.jobs.services.registry import Outcome, job_kind
from tapes_app.projects.domain.left_out import write_left_out
from tapes_app.projects.domain.wording import count_of
from tapes_app.runs.services.candidates import Candidate, load_candidate


@job_kind(RERUN_KIND)
async def execute_rerun(context: JobContext) -> Outcome:
    """Create the tapes of a re-run; those of an interrupted or stopped attempt are kept."""
    return await _RerunJob.execute(context)


def discard_if_empty(job_id: UUID, project: UUID) -> None:
    """Delete the batch of a re-run if no tape was put into it."""
    if storage.delete_if_empty(job_id):
        discard_batch(job_id, project)


class _RerunJob(NewBatchJob[list[PlannedBranch], list[NewBranch]]):
    """Plans the attempts at each tape; then creates children and runs for each page of tapes."""

    progress_message = "Creating tapes"
    discard = staticmethod(discard_if_empty)

    def __init__(self, context: JobContext) -> None:
        super().__init__(context)
        job = self.job
        self.request = RerunRequest.model_validate(job.request)
        row = storage.load_experiment(job.id, job.project_id)
        version = agent_storage.load_version(self.request.agent_version_id, job.project_id)
        experiment = self.request.to_experiment()
        title = f"{version.agent_name}, again: {experiment.name}"
        self._grid = Grid(
            job.project_id,
            job.id,
            experiment,
            owner_id=job.owner_id,
            title=lambda _: title,
            author=row.owner,
            agent_name=version.agent_name,
            batch_id=job.id,
            shared_budget=row.budget_id,
        )

    @property
    def selection(self) -> RerunRequest:
        return self.request

    @cached_property
    def _candidate(self) -> Candidate:
        return load_candidate(self.job.project_id, self.request.agent_version_id)

    def plan(self, tape_id: UUID) -> list[PlannedBranch]:
        place = find_place(self.job.project_id, tape_id, lambda: self._candidate)
        return plan_branches(self._grid.request, [place])

    def write(self, plan: list[PlannedBranch]) -> list[NewBranch]:
        return fork_attempts(self._grid, plan)

    def end_page(self, made: Sequence[list[NewBranch]]) -> None:
        begin_attempts(self._grid, list(chain.from_iterable(made)))

    def finish(self) -> Outcome:
        if not self.tape_count:
            discard_if_empty(self.job.id, self.job.project_id)
        result = {"tapes": self.tape_count, "left_out": write_left_out(self.left_out)}
        return Outcome(message=f"{count_of(self.tape_count, 'run')} queued.", result=result)
