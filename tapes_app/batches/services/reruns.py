"""Re-runs: many tapes rerun by another agent, into a batch that is compared with theirs.

A re-run, its job, its experiment and its batch share one id.
"""

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction

from tapes_app.agents.store import agents as agent_storage
from tapes_app.batches.services.rerun_jobs import discard_if_empty
from tapes_app.batches.services.rerun_preview import choose_tapes
from tapes_app.batches.services.rerun_request import RERUN_KIND, RerunRequest, RerunState
from tapes_app.bulk.store.made_batches import (
    Discarded,
    check_new_name,
    discard_batch,
    ensure_made_batch,
)
from tapes_app.engine.errors import ConflictError, NotFoundError
from tapes_app.experiments.domain.branch_states import BranchState, RunEnd, find_state
from tapes_app.experiments.services.experiments import check_models
from tapes_app.experiments.services.request import ExperimentRequest
from tapes_app.experiments.store import branches as branch_storage
from tapes_app.experiments.store import experiments as storage
from tapes_app.experiments.store.experiments import AskedExperiment, Spending
from tapes_app.jobs.domain.protocol import FINAL_STATES
from tapes_app.jobs.store.commands import request_cancel
from tapes_app.jobs.store.job import Job, load_job, load_jobs
from tapes_app.jobs.store.many_jobs import cancel_jobs, continue_jobs, pause_jobs
from tapes_app.library.services.bulk_job import start_bulk_job
from tapes_app.projects.domain.left_out import LeftOutTapes
from tapes_app.projects.domain.rows import ALL_FIELDS
from tapes_app.projects.domain.wording import count_of
from tapes_app.projects.services.people import Person
from tapes_app.runs.domain.request import Budget
from tapes_app.runs.store.budgets import open_budget
from tapes_app.tapes.store.starts import SourceBatch, find_untold_tasks, list_parent_batches

_MOST_SHOWN = 20
_AT_WORK: frozenset[BranchState] = frozenset({"queued", "running"})


@dataclass(frozen=True)
class RerunStates:
    """How many runs are in each state. Running out of budget is not a failure."""

    __pydantic_config__ = ALL_FIELDS

    queued: int = 0
    running: int = 0
    waiting: int = 0
    paused: int = 0
    succeeded: int = 0
    failed: int = 0
    cancelled: int = 0
    out_of_budget: int = 0


@dataclass(frozen=True)
class Rerun:
    """The progress of a re-run, and where to find the result."""

    id: UUID
    state: RerunState
    message: str
    """Why it failed; empty otherwise."""

    batch_id: UUID | None
    """`None` if no tape fitted, or all were removed."""

    batch_name: str
    tape_count: int
    """How many new tapes there are, or will be; tapes that were left out do not count."""

    done_count: int
    """How many runs are at rest, however they ended."""

    states: RerunStates
    spent: Spending
    llm_call_count: int
    """LLM calls that its runs made, without recorded answers."""

    unpriced_call_count: int
    """How many of these calls have unknown cost; if there are any, the cost is a lower bound."""

    budget: Budget
    stopped_reason: str
    """Why it stopped early: the budget, or a person."""

    left_out: list[LeftOutTapes]
    sources: list[SourceBatch]
    """The batches of the tapes that were rerun, largest first."""

    pair_key: str
    """How the new batch is paired with an old one: by task or start."""

    @property
    def is_going_on(self) -> bool:
        return self.state in ("preparing", "running")

    @property
    def is_held(self) -> bool:
        """Whether a run is paused, or the creation of its tapes is."""
        return self.state == "paused" or self.states.paused > 0


def start_rerun(
    person: Person, request: RerunRequest, *, shared_budget: UUID | None = None
) -> Rerun:
    """Queue the job that creates the tapes and their runs.

    `shared_budget`: what its calls are reserved from, beside those of others.

    Raises:
        NotFoundError: no such agent version or model, or not all of the named tapes.
        ModelKeyMissingError: the model has no key.
        InvalidInputError: more tapes than can be rerun in one go, or the batch has no name.
        ConflictError: a batch of this name already exists.
    """
    project = person.project_id
    name = check_new_name(project, request.batch_name)
    chosen = choose_tapes(person, request)
    version = agent_storage.load_version(request.agent_version_id, project)
    stored = request.model_copy(update={"batch_name": name})
    experiment = stored.to_experiment()
    check_models(person, experiment)
    title = f"{version.agent_name} v{version.number}: {count_of(len(chosen), 'tape')} again"
    with transaction.atomic():
        job = start_bulk_job(person, RERUN_KIND, stored, title=title)
        ensure_made_batch(job.id, project, name, owner=person.user_id)
        storage.create_experiment(
            project,
            owner=person.user_id,
            name=name,
            request=experiment.model_dump(mode="json"),
            batch=job.id,
            budget=shared_budget,
            id=job.id,
        )
        open_budget(job.id, experiment.budget)
    return load_rerun(person, job.id)


def load_rerun(person: Person, rerun_id: UUID) -> Rerun:
    """Return the progress of a re-run.

    Raises:
        NotFoundError: there is no such re-run in the project.
    """
    shown = load_reruns(person, [rerun_id])
    if not shown:
        raise NotFoundError("Re-run not found.", rerun_id=str(rerun_id))
    return shown[0]


def list_reruns(person: Person) -> list[Rerun]:
    """Return the newest unfinished re-runs."""
    going = storage.list_reruns_at_work(person.project_id, limit=_MOST_SHOWN)
    return load_reruns(person, going)


def load_reruns(person: Person, wanted: Sequence[UUID]) -> list[Rerun]:
    """Return those of the given re-runs that exist, in order and in seven queries."""
    project = person.project_id
    jobs = load_jobs(project, wanted)
    known = [id for id in wanted if id in jobs and jobs[id].kind == RERUN_KIND]
    rows = storage.load_experiments(known, project)
    ends = branch_storage.list_run_ends(rows)
    spent = storage.sum_spendings(rows)
    calls = storage.count_unpriced(rows)
    sources = list_parent_batches(project, rows)
    untold = find_untold_tasks(project, rows)
    return [
        _show(
            jobs[id],
            rows[id],
            ends[id],
            spent=spent[id],
            llm_call_count=calls[id].made,
            unpriced_call_count=calls[id].unpriced,
            sources=sources[id],
            pair_key="start" if id in untold else "task",
        )
        if id in rows
        else _empty_rerun(jobs[id])
        for id in known
    ]


def _show(job: Job, row: AskedExperiment, ends: Sequence[RunEnd], **found: Any) -> Rerun:
    counts = Counter(find_state(end) for end in ends)
    at_work = sum(counts[state] for state in _AT_WORK)
    made, total = counts.total(), job.progress_total or 0
    return Rerun(
        id=job.id,
        state=_find_state(job, at_work),
        message=job.message if job.state == "failed" else "",
        batch_id=row.batch_id,
        batch_name=row.name,
        tape_count=made if job.state in FINAL_STATES else max(made, total),
        done_count=made - at_work,
        states=RerunStates(**{str(state): count for state, count in counts.items()}),
        budget=_budget_of(row),
        stopped_reason=row.stopped_reason,
        left_out=_left_out(job),
        **found,
    )


def cancel_rerun(person: Person, rerun_id: UUID) -> Rerun:
    """Stop creating tapes, and stop every unfinished run; what they have done so far stays.

    Raises:
        NotFoundError: there is no such re-run in the project.
        ConflictError: everything has finished.
    """
    return stop_rerun(person, rerun_id, by=person.name, reason=f"Stopped by {person.name}.")


def stop_rerun(person: Person, rerun_id: UUID, *, by: str, reason: str) -> Rerun:
    """Do the same as `cancel_rerun`, with the caller's reason; `by` is who stops it.

    Raises:
        NotFoundError: there is no such re-run in the project.
        ConflictError: everything has finished.
    """
    shown = load_rerun(person, rerun_id)
    if not (shown.is_going_on or shown.is_held):
        raise ConflictError("Every run has finished; there is nothing to stop.")
    with suppress(ConflictError):  # all tapes were created already
        request_cancel(person.project_id, rerun_id, person=by)
    # Store the reason first: a run that starts between two cancellations then knows it should stop.
    storage.stop_experiment(rerun_id, reason)
    cancel_jobs(person.project_id, storage.list_unfinished_jobs(rerun_id), person=by)
    if load_job(person.project_id, rerun_id).state in FINAL_STATES:
        discard_if_empty(rerun_id, person.project_id)
    return load_rerun(person, rerun_id)


def pause_rerun(person: Person, rerun_id: UUID) -> None:
    """Pause a re-run: queued runs immediately, active ones at their next safe point.

    While its tapes are being created, more runs may be queued after this call, so repeat it until
    the re-run is no longer active.
    """
    unfinished = storage.list_unfinished_jobs(rerun_id)
    pause_jobs(person.project_id, [rerun_id, *unfinished], person=person.name)


def continue_rerun(person: Person, rerun_id: UUID) -> None:
    """Continue everything in it that is paused."""
    continue_jobs(person.project_id, [rerun_id, *storage.list_unfinished_jobs(rerun_id)])


def undo_rerun(person: Person, rerun_id: UUID) -> Discarded:
    """Remove the tapes of a re-run from the lists; their cost stays counted.

    Tapes that have children, or whose run waits for somebody, stay.

    Raises:
        NotFoundError: there is no such re-run in the project.
        ConflictError: the re-run has not finished yet.
    """
    if load_rerun(person, rerun_id).is_going_on:
        raise ConflictError("This re-run is still going; cancel it first.")
    return discard_batch(rerun_id, person.project_id)


def _find_state(job: Job, at_work: int) -> RerunState:
    if job.state not in FINAL_STATES:
        return "paused" if job.state == "paused" and not at_work else "preparing"
    if at_work:
        return "running"
    if job.state == "failed":
        return "failed"
    return "cancelled" if job.state == "cancelled" else "finished"


def _empty_rerun(job: Job) -> Rerun:
    request = RerunRequest.model_validate(job.request)
    return Rerun(
        id=job.id,
        state=_find_state(job, 0),
        message=job.message if job.state == "failed" else "",
        batch_id=None,
        batch_name=request.batch_name,
        tape_count=0,
        done_count=0,
        states=RerunStates(),
        spent=Spending(0, 0),
        llm_call_count=0,
        unpriced_call_count=0,
        budget=request.budget,
        stopped_reason="",
        left_out=_left_out(job),
        sources=[],
        pair_key="start",
    )


def _left_out(job: Job) -> list[LeftOutTapes]:
    return [LeftOutTapes(**reason) for reason in (job.result or {}).get("left_out", [])]


def _budget_of(row: AskedExperiment) -> Budget:
    """Return the current budget, which a retry may have increased."""
    return ExperimentRequest.model_validate(row.request).budget
