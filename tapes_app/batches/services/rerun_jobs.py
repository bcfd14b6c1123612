"""The job of a re-run: it makes the new tapes and queues their runs; those continue by themselves.

What it makes is an experiment without a tape of its own: each branch is a child of another
tape. So budget, stopping, retrying and judging are those of experiments.
"""

import threading
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from tapes_app.agents.rows import AgentVersionRow
from tapes_app.agents.store import agents as agent_storage
from tapes_app.batches.services.rerun_preview import find_place
from tapes_app.batches.services.rerun_request import RERUN_KIND, RerunRequest
from tapes_app.bulk.store.made_batches import discard_batch, list_parents
from tapes_app.engine.errors import StudioError
from tapes_app.experiments.services.experiments import queue_runs
from tapes_app.experiments.services.request import BranchPoint, ExperimentRequest, PlannedBranch
from tapes_app.experiments.store import experiments as storage
from tapes_app.experiments.store.experiments import NewBranch
from tapes_app.jobs.protocol import Event
from tapes_app.jobs.services.context import JobContext
from tapes_app.jobs.services.registry import Outcome, job_kind
from tapes_app.jobs.services.stopping import run_until_stopped
from tapes_app.jobs.store.many_jobs import NewJob
from tapes_app.library.store.lists import list_all_ids
from tapes_app.projects.wording import count_of
from tapes_app.tapes.store import edits as tape_edits

_PAGE = 20
"""Tapes that are forked, with their runs, in one transaction."""


@job_kind(RERUN_KIND)
async def execute_rerun(context: JobContext) -> Outcome:
    """Make the tapes of a re-run; those of an attempt that died, or was stopped, stay."""
    return await run_until_stopped(context, _rerun, discard_if_empty)


def discard_if_empty(rerun_id: UUID, project: UUID) -> None:
    """Take the batch of a re-run away again when no tape came into it."""
    if storage.delete_if_empty(rerun_id):
        discard_batch(rerun_id, project)


class _Planned(NamedTuple):
    tape_id: UUID
    kept: int


class _Forks(NamedTuple):
    """What all new tapes of a re-run share."""

    context: JobContext
    author: str
    version: AgentVersionRow
    experiment: ExperimentRequest


def _rerun(context: JobContext, stopped: threading.Event) -> Outcome:
    job = context.job
    request = RerunRequest.model_validate(job.request)
    row = storage.load_experiment(job.id, job.project_id)
    version = agent_storage.load_version(request.agent_version_id, job.project_id)
    forks = _Forks(context, row.owner, version, request.to_experiment())
    made = list_parents(job.id, job.project_id)  # by an attempt that died
    done = {*made, *made.values()}  # the list may show what it made, too
    chosen = list_all_ids(job.project_id, request.to_filter())
    chosen = [tape_id for tape_id in chosen if tape_id not in done]
    left_out: Counter[str] = Counter()
    count = len(made)
    for start in range(0, len(chosen), _PAGE):
        if stopped.is_set():
            return Outcome("cancelled")
        context.report_progress(start, len(chosen), "Creating tapes")
        planned = _plan(job.project_id, version.id, chosen[start : start + _PAGE], left_out)
        count += _write(forks, planned, left_out)
    context.report_progress(len(chosen), len(chosen), "Creating tapes")
    if not count:
        discard_if_empty(job.id, job.project_id)
    result = {
        "tapes": count,
        "left_out": [{"why": why, "tape_count": number} for why, number in left_out.most_common()],
    }
    return Outcome(message=f"{count_of(count, 'run')} queued.", result=result)


def _plan(
    project: UUID, version_id: UUID, page: Sequence[UUID], left_out: Counter[str]
) -> list[_Planned]:
    planned = []
    for tape_id in page:
        try:
            planned.append(_Planned(tape_id, find_place(project, tape_id, version_id)))
        except StudioError as error:
            left_out[error.message] += 1
    return planned


def _write(forks: _Forks, planned: Sequence[_Planned], left_out: Counter[str]) -> int:
    """Make the tapes of a page and queue their runs, in one transaction; return how many."""
    made: list[NewBranch] = []
    refused: Counter[str] = Counter()

    def write() -> list[Event]:
        made.clear()
        refused.clear()
        for plan in planned:
            try:
                made.append(_fork(forks, plan))
            except StudioError as error:  # archived or deleted in the meantime
                refused[error.message] += 1
        _queue(forks, made)
        return []

    if planned:
        forks.context.commit_in_thread(write)
    left_out += refused
    return len(made)


def _fork(forks: _Forks, plan: _Planned) -> NewBranch:
    job = forks.context.job
    [tape] = tape_edits.fork_tapes(
        plan.tape_id,
        [plan.kept],
        project=job.project_id,
        owner=job.owner_id,
        author=forks.author,
        agent_version=forks.version.id,
        agent_name=forks.version.agent_name,
        batch=job.id,
    )
    return NewBranch(
        tape_id=tape.id,
        arm="original",
        kept_count=plan.kept,
        recorded_count=plan.kept,
        base_tokens=tape.tokens,
        base_micro_usd=tape.micro_usd,
        model_id=forks.experiment.model_ids[0],
        temperature=None,
    )


def _queue(forks: _Forks, made: Sequence[NewBranch]) -> None:
    job, experiment = forks.context.job, forks.experiment
    branch_ids = storage.add_branches(job.id, made)
    jobs = {
        branch_id: NewJob(
            experiment.run_request(_as_planned(branch), branch_id).model_dump(mode="json"),
            f"{forks.version.agent_name}re-run: {experiment.name}",
            branch.tape_id,
        )
        for branch_id, branch in zip(branch_ids, made, strict=True)
    }
    queue_runs(job.project_id, job.id, jobs, experiment, owner=job.owner_id)


def _as_planned(branch: NewBranch) -> PlannedBranch:
    place = BranchPoint(branch.arm, branch.kept_count, branch.recorded_count)
    return PlannedBranch(place, branch.model_id, branch.temperature)
