"""The common part of long work on many tapes: choosing, previewing, writing by page, counting.

A kind of bulk job decides what it plans for one tape (without writing) and how a plan is written.
This module provides the pages, the transactions fenced by the job's attempt, the reasons why tapes
are skipped, stopping, and resuming after a crash: a worker that takes over works out again what is
left, so what was written stays and is not written twice.
"""

import threading
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, TypeVar
from uuid import UUID

from tapes_app.engine.errors import ConflictError, NotFoundError, StudioError
from tapes_app.jobs.services.context import JobContext
from tapes_app.jobs.services.registry import Outcome
from tapes_app.jobs.services.stopping import run_until_stopped
from tapes_app.jobs.store.job import Job, create_job, load_job
from tapes_app.library.services.selection import TapeSelection
from tapes_app.library.store.lists import list_all_ids
from tapes_app.projects.domain.left_out import LeftOut
from tapes_app.projects.services.people import Person

PREVIEW_SECONDS = 5.0
Plan = TypeVar("Plan")
Made = TypeVar("Made")


def start_bulk_job(person: Person, kind: str, request: TapeSelection, *, title: str) -> Job:
    """Queue a bulk job; fields that its request leaves at the default are not stored."""
    return create_job(
        person.project_id,
        kind,
        request=request.model_dump(mode="json", exclude_unset=True),
        title=title,
        owner_id=person.user_id,
    )


def load_bulk_job(person: Person, job_id: UUID, kind: str) -> Job:
    """Return a job, which must be of the given kind.

    Raises:
        NotFoundError: the project has no job of this id and kind.
    """
    job = load_job(person.project_id, job_id)
    if job.kind != kind:
        raise NotFoundError(f"{kind.capitalize()} not found.", job_id=str(job_id))
    return job


def load_bulk_result(person: Person, job_id: UUID, kind: str) -> dict[str, Any]:
    """Return the result of a bulk job.

    Raises:
        NotFoundError: the project has no job of this id and kind.
        ConflictError: the job has not finished yet, or it failed.
    """
    job = load_bulk_job(person, job_id, kind)
    if job.result is None:
        raise ConflictError(f"This {kind} has no result; it is {job.state}.", state=job.state)
    return job.result


@dataclass
class BulkPreview:
    """What a bulk job would do, judging by `looked_at` of `tape_count` tapes."""

    tape_count: int
    looked_at: int = 0
    left_out: LeftOut = field(default_factory=Counter)

    def plan_each(
        self,
        tape_ids: Iterable[UUID],
        plan: Callable[[UUID], Plan],
        *,
        seconds: float = PREVIEW_SECONDS,
    ) -> Iterator[Plan]:
        """Plan for one tape after the other, for `seconds` at most, and yield the plans."""
        end = time.monotonic() + seconds
        for tape_id in tape_ids:
            if self.looked_at and time.monotonic() > end:
                return
            self.looked_at += 1
            try:
                planned = plan(tape_id)
            except StudioError as error:
                self.left_out[error.message] += 1
            else:
                yield planned


class BulkJob(ABC, Generic[Plan, Made]):
    """One attempt at a bulk job."""

    page_size: ClassVar[int] = 20
    """How many tapes are written in one transaction."""

    progress_message: ClassVar[str]

    def __init__(self, context: JobContext) -> None:
        self.context = context
        self.job = context.job
        self.unchanged = 0
        self.left_out: Counter[str] = Counter()
        """How many tapes were skipped, by reason."""

    @classmethod
    async def execute(cls, context: JobContext) -> Outcome:
        """Run a job of this kind; if a person cancels it, what it made is discarded.

        What an interrupted attempt has made stays for the next one.
        """
        return await run_until_stopped(context, cls._work, cls.discard)

    @property
    @abstractmethod
    def selection(self) -> TapeSelection:
        """The tapes to work on."""

    @abstractmethod
    def begin(self) -> Collection[UUID]:
        """Prepare; return the tapes that earlier attempts have already dealt with or made."""

    @abstractmethod
    def plan(self, tape_id: UUID) -> Plan | None:
        """Return what to write for a tape, or `None` if nothing changes; only reads.

        A `StudioError` skips the tape.
        """

    @abstractmethod
    def write(self, plan: Plan) -> Made:
        """Write a plan, in its page's transaction; a `StudioError` skips the tape."""

    def end_page(self, made: Sequence[Made]) -> None:
        """Write what a page has in common, in its transaction, which may be retried."""

    @abstractmethod
    def count_made(self, made: Sequence[Made]) -> None:
        """Count what a page made, once it is written."""

    @abstractmethod
    def finish(self) -> Outcome:
        """Return the outcome of the job after all its pages are written."""

    @staticmethod
    @abstractmethod
    def discard(job_id: UUID, project: UUID) -> object:
        """Undo what was made, after a person has cancelled the job."""

    def explain(self, error: StudioError) -> str:
        """Return why a tape is skipped."""
        return error.message

    @classmethod
    def _work(cls, context: JobContext, stopped: threading.Event) -> Outcome:
        job = cls(context)
        done = job.begin()
        chosen = list_all_ids(context.job.project_id, job.selection.to_filter())
        left = [tape_id for tape_id in chosen if tape_id not in done]
        for start in range(0, len(left), cls.page_size):
            if stopped.is_set():
                return Outcome("cancelled")
            context.report_progress(start, len(left), cls.progress_message)
            job._write_page(job._plan_page(left[start : start + cls.page_size]))
        context.report_progress(len(left), len(left), cls.progress_message)
        return job.finish()

    def _plan_page(self, page: Sequence[UUID]) -> list[Plan]:
        plans = []
        for tape_id in page:
            try:
                plan = self.plan(tape_id)
            except StudioError as error:
                self.left_out[self.explain(error)] += 1
                continue
            self.unchanged += plan is None
            plans += [plan] if plan is not None else []
        return plans

    def _write_page(self, plans: Sequence[Plan]) -> None:
        """Write the plans of a page in one transaction, fenced like every write of a job."""
        made: list[Made] = []
        refused: Counter[str] = Counter()

        def write() -> None:
            made.clear()
            refused.clear()
            for plan in plans:
                try:
                    made.append(self.write(plan))
                except StudioError as error:  # archived or deleted since it was planned
                    refused[self.explain(error)] += 1
            self.end_page(made)

        if plans:
            self.context.commit_in_thread(write)
        self.left_out += refused
        self.count_made(made)
