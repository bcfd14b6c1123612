"""Distillations as people see them: the list, and each round with what it made."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from optimize_app.distillation.course import Course, Round
from optimize_app.distillation.request import DISTILLATION_KIND, DistillationRequest
from optimize_app.training_sets.services.request import TeacherBudget
from tapes_app.agents.store.agents import load_versions
from tapes_app.jobs.domain.protocol import JobState
from tapes_app.jobs.store.job import Job, list_job_page
from tapes_app.library.services.bulk_job import load_bulk_job
from tapes_app.projects.domain.rows import Page
from tapes_app.projects.services.people import Person


@dataclass(frozen=True, slots=True)
class DrivenBatch:
    """The tapes that one driver produced in a round."""

    id: UUID
    name: str
    driver: Literal["teacher", "student"]


@dataclass(frozen=True, slots=True)
class RoundRow:
    """A round, and what exists of it so far."""

    number: int
    teacher_share: float
    """Share of the tasks, from 0 to 1; which tasks these are is drawn at random."""

    batches: list[DrivenBatch]
    set_job_id: UUID | None
    """The job that makes its training set."""

    training_set_id: UUID | None
    finetune_id: UUID | None
    adapter_id: UUID | None
    """The adapter that the round produced; with it the round is over."""

    labels: int
    """Number of the teacher's answers in it."""

    micro_usd: int
    unpriced_labels: int
    """Those of the labels whose cost is unknown; if any is priced, the cost shown is "at least"."""


@dataclass(frozen=True, slots=True)
class DistillationRow:
    """A distillation and its progress."""

    job_id: UUID
    name: str
    base: str
    agent_version_id: UUID
    agent_name: str
    """Empty: the agent version was deleted."""

    teacher_id: UUID | None
    """`None`: the LLM model that the agent itself names."""

    adapter_id: UUID | None
    """The student that drove the first round; `None`: the teacher did."""

    task_count: int
    round_count: int
    """The number of rounds asked for."""

    mixing: float
    budget: TeacherBudget
    state: JobState
    message: str
    labels: int
    micro_usd: int
    unpriced_labels: int
    rounds: list[RoundRow]
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None


def list_distillations(
    person: Person, *, after: str | None = None, limit: int = 50
) -> Page[DistillationRow]:
    """Return a page of distillations, newest first.

    Raises:
        InvalidInputError: `after` is not a cursor.
    """
    page = list_job_page(person.project_id, kinds=(DISTILLATION_KIND,), after=after, limit=limit)
    return Page(tuple(_list_rows(person, page.items)), page.next)


def load_distillation(person: Person, job_id: UUID) -> DistillationRow:
    """Return one distillation.

    Raises:
        NotFoundError: the project has no distillation of this id.
    """
    (row,) = _list_rows(person, [load_bulk_job(person, job_id, DISTILLATION_KIND)])
    return row


def _list_rows(person: Person, jobs: Sequence[Job]) -> list[DistillationRow]:
    asked = [DistillationRequest.model_validate(job.request) for job in jobs]
    wanted = [request.agent_version_id for request in asked]
    names = {row.id: row.agent_name for row in load_versions(wanted, person.project_id)}
    return [
        _row(job, request, names.get(request.agent_version_id, ""))
        for job, request in zip(jobs, asked, strict=True)
    ]


def _row(job: Job, request: DistillationRequest, agent_name: str) -> DistillationRow:
    course = Course.model_validate(job.checkpoint or {})
    return DistillationRow(
        job_id=job.id,
        name=request.name,
        base=request.base,
        agent_version_id=request.agent_version_id,
        agent_name=agent_name,
        teacher_id=request.teacher_id,
        adapter_id=request.adapter_id,
        task_count=len(request.tape_ids or ()),
        round_count=request.rounds,
        mixing=request.mixing,
        budget=request.budget,
        state=job.state,
        message=job.message,
        labels=course.labels,
        micro_usd=course.micro_usd,
        unpriced_labels=course.unpriced_labels,
        rounds=_list_rounds(request, course.rounds),
        created_at=job.created_at,
        started_at=job.started_at,
        finished_at=job.finished_at,
    )


def _list_rounds(request: DistillationRequest, rounds: Sequence[Round]) -> list[RoundRow]:
    return [
        RoundRow(
            number=number,
            teacher_share=request.find_share(number),
            batches=_list_batches(request, number, one),
            set_job_id=one.student_set or one.teacher_set,
            training_set_id=one.training_set_id if one.is_collected else None,
            finetune_id=one.finetune,
            adapter_id=one.adapter_id,
            labels=one.labels,
            micro_usd=one.micro_usd,
            unpriced_labels=one.unpriced_labels,
        )
        for number, one in enumerate(rounds, 1)
    ]


def _list_batches(request: DistillationRequest, number: int, one: Round) -> list[DrivenBatch]:
    found: list[DrivenBatch] = []
    if one.student_run is not None:
        found.append(DrivenBatch(one.student_run, request.name_of(number), "student"))
    if one.teacher_run is not None:
        name = request.name_of(number, by_teacher=request.find_share(number) < 1)
        found.append(DrivenBatch(one.teacher_run, name, "teacher"))
    return found
