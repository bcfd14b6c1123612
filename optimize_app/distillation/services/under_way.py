"""A distillation in progress: what it has started, its remaining budget, and what it reports."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from optimize_app.distillation.course import Course, Drivers, Round, draw_drivers
from optimize_app.distillation.request import DistillationRequest
from optimize_app.finetune.store.adapters import load_adapter
from optimize_app.training_sets.services.request import TeacherBudget
from tapes_app.engine.errors import StudioError
from tapes_app.jobs.services.context import JobContext
from tapes_app.projects.services.people import identify_owner
from tapes_app.runs.domain.reservations import Cost, explain_spending


class DistillationFailedError(StudioError):
    """A stage of a round ended without producing what the next one needs; earlier rounds stay."""

    code = "distillation_failed"
    status = 500


class UnderWay:
    """One attempt at a distillation, positioned at its last round."""

    def __init__(self, context: JobContext) -> None:
        job = context.job
        self.request = DistillationRequest.model_validate(job.request)
        self.person = identify_owner(job.owner_id, job.project_id)
        self.course = Course.model_validate(job.checkpoint or {})
        self._context = context

    @property
    def round(self) -> Round:
        return self.course.rounds[-1]

    @property
    def number(self) -> int:
        """Number of the round, from 1."""
        return len(self.course.rounds)

    @property
    def place(self) -> str:
        return f"Round {self.number} of {self.request.rounds}"

    @property
    def project(self) -> UUID:
        return self.person.project_id

    @property
    def student(self) -> UUID:
        """The adapter that the previous round produced, or that the first round starts with."""
        before = self.course.rounds[-2].adapter_id if self.number > 1 else self.request.adapter_id
        if before is None:
            raise DistillationFailedError(f"{self.place}: there is no student to drive.")
        return before

    @property
    def learnt_before(self) -> UUID | None:
        """The set that the previous round, or the first student, learnt from."""
        if self.number > 1:
            return self.course.rounds[-2].training_set_id
        if self.request.adapter_id is None:
            return None
        return load_adapter(self.request.adapter_id, self.project).training_set_id

    @property
    def is_later_attempt(self) -> bool:
        """Whether a new worker has taken over since the last start of anything."""
        return self._context.job.attempt > self.round.attempt

    @property
    def share(self) -> float:
        """Share of the tasks that the teacher drives."""
        return self.request.find_share(self.number)

    def draw(self) -> Drivers:
        """Return who drives which tasks; the result is the same in every attempt at a round."""
        tasks = self.request.tape_ids or ()
        return draw_drivers(tasks, self.share, seed=self.request.seed, number=self.number)

    def explain_spent(self) -> str:
        """Explain which part of the budget is used up; empty while none is."""
        labels, money = self.course.labels, self.course.micro_usd
        budget = self.request.budget.of_runs()
        return explain_spending(budget, Cost(0, money, labels))

    @property
    def left(self) -> TeacherBudget:
        """The remaining budget; read it only while some is left."""
        return self.request.budget.less(self.course.labels, self.course.micro_usd)

    def keep(self, start: Callable[[], dict[str, Any]]) -> None:
        """Start something and store the round's changed fields, in one transaction."""
        made: list[Course] = []

        def begin() -> Any:
            changes = start()
            made.append(self.course.changed(**changes, attempt=self._context.job.attempt))
            return made[-1].model_dump(mode="json")

        self._context.start_and_keep(begin)
        self.course = made[-1]

    def report_progress(self, words: str) -> None:
        """Report progress to people if it differs from what was reported last."""
        done, message = self.course.done_count, f"{self.place}: {words}"
        self._context.report_news(done, self.request.rounds, message)
