"""Learning from a driven round: the teacher's labels join the set, and the base is finetuned."""

from collections.abc import Callable
from typing import Literal
from uuid import UUID

from optimize_app.distillation.course import Drivers
from optimize_app.distillation.services.under_way import DistillationFailedError, UnderWay
from optimize_app.finetune.services.finetune_jobs import start_finetune
from optimize_app.training_sets.services.request import TeacherBudget, TrainingSetRequest
from optimize_app.training_sets.services.set_jobs import start_training_set
from tapes_app.jobs.domain.protocol import FINAL_STATES
from tapes_app.jobs.store.commands import requeue_job
from tapes_app.jobs.store.job import Job, load_job

SetName = Literal["teacher_set", "student_set"]
JobName = Literal["teacher_set", "student_set", "finetune"]
_WORDS: dict[JobName, str] = {
    "teacher_set": "the teacher's tapes join the set",
    "student_set": "the teacher labels the states that the student reached",
    "finetune": "the student learns",
}


class Learning:
    """The second half of a round: it makes a training set and finetunes the base on it."""

    def __init__(self, under_way: UnderWay) -> None:
        self._at = under_way

    def is_over(self, drivers: Drivers) -> bool:
        """Check what is in progress, start what comes next, and return whether the round is over.

        Raises:
            DistillationFailedError: a set or the finetune failed, or a person cancelled it.
        """
        return self._has_sets(drivers) and self._has_learnt()

    def _has_sets(self, drivers: Drivers) -> bool:
        at = self._at
        if at.round.is_collected:
            return True
        if drivers.teacher and at.round.student_set is None:
            made = self._finished("teacher_set", lambda: self._start_set("teacher_set", drivers))
            if made is None:
                return False
            at.keep(lambda: {"training_set_id": _set_of(made)})
        is_covered = bool(drivers.teacher and at.explain_spent())
        if drivers.student and not is_covered:
            labelled = self._finished(
                "student_set", lambda: self._start_set("student_set", drivers)
            )
            if labelled is None:
                return False
            at.keep(lambda: {"training_set_id": _set_of(labelled), **self._count(labelled)})
        at.keep(lambda: {"is_collected": True})
        return True

    def _start_set(self, name: SetName, drivers: Drivers) -> UUID:
        return start_training_set(self._at.person, self._describe(name, drivers)).id

    def _count(self, job: Job) -> dict[str, int]:
        """Return the teacher's calls in this round, including labels of the student's states."""
        result = job.result or {}
        return {
            "labels": self._at.round.labels + result["teacher_calls"],
            "micro_usd": self._at.round.micro_usd + result["teacher_micro_usd"],
            # A set made by an earlier version does not record the count.
            "unpriced_labels": self._at.round.unpriced_labels
            + result.get("teacher_unpriced_calls", 0),
        }

    def _describe(self, name: SetName, drivers: Drivers) -> TrainingSetRequest:
        at = self._at
        is_teachers = name == "teacher_set"
        before = at.learnt_before if is_teachers else at.round.training_set_id or at.learnt_before
        return TrainingSetRequest(
            name=at.request.name_of(at.number, by_teacher=is_teachers and bool(drivers.student)),
            q=f"batch:{at.round.teacher_run if is_teachers else at.round.student_run}",
            source="recorded" if is_teachers else "relabeled",
            teacher_id=None if is_teachers else at.request.teacher_id,
            teacher_budget=TeacherBudget() if is_teachers else at.left,
            joined=() if before is None else (before,),
            held_out_share=at.request.held_out_share,
            seed=at.request.seed,
        )

    def _has_learnt(self) -> bool:
        at = self._at
        learnt = at.round.training_set_id
        if learnt is None:
            raise DistillationFailedError(f"{at.place}: it has no training set to learn from.")
        request = at.request.to_finetune(at.number, learnt)
        job = self._finished("finetune", lambda: start_finetune(at.person, request).id)
        if job is None:
            return False
        adapter = UUID((job.result or {})["adapter_id"])
        at.keep(lambda: {"adapter_id": adapter})
        return True

    def _finished(self, name: JobName, start: Callable[[], UUID]) -> Job | None:
        """Return a job once it has succeeded; `None` while it runs. Start it if needed."""
        at = self._at
        job_id: UUID | None = getattr(at.round, name)
        if job_id is None:
            at.keep(lambda: {name: start()})
            return None
        job = load_job(at.project, job_id)
        if job.state == "succeeded":
            return job
        if job.state not in FINAL_STATES:
            at.report_progress(f"{_WORDS[name]}. {_describe_progress(job)}".rstrip())
        elif not at.is_later_attempt:
            raise DistillationFailedError(f"{at.place}, {_WORDS[name]}: {job.message}")
        elif name == "finetune":
            at.keep(lambda: {name: requeue_job(at.project, job.id).id})  # from its checkpoint
        else:
            at.keep(lambda: {name: start()})
        return None


def _set_of(job: Job) -> UUID:
    return UUID((job.result or {})["training_set_id"])


def _describe_progress(job: Job) -> str:
    if job.state == "queued":
        return "Waits in the queue"
    if job.progress_total is None:
        return job.message
    return f"{job.progress_done:,} of {job.progress_total:,}. {job.message}"
