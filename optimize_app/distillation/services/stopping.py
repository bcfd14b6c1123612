"""Ending what a round of a distillation has in progress; what it has made stays."""

from contextlib import suppress
from uuid import UUID

from optimize_app.distillation.course import Course, Round
from optimize_app.serving.services import serving
from tapes_app.batches.services import reruns
from tapes_app.engine.errors import StudioError
from tapes_app.jobs.store.commands import request_cancel
from tapes_app.jobs.store.job import load_job
from tapes_app.projects.services.people import Person, identify_owner


def end_started(project_id: UUID, job_id: UUID) -> None:
    """End everything that a distillation without a worker has started."""
    job = load_job(project_id, job_id)
    course = Course.model_validate(job.checkpoint or {})
    end_round(identify_owner(job.owner_id, project_id), course)


def end_round(person: Person, course: Course) -> None:
    """End the runs, the server and the jobs of the last round, unless the round is over."""
    if course.is_between_rounds:
        return
    last = course.rounds[-1]
    for run in (last.teacher_run, last.student_run):
        if run is not None:
            with suppress(StudioError):  # it has already ended
                reruns.cancel_rerun(person, run)
    stop_serving(person, last)
    for job in (last.teacher_set, last.student_set, last.finetune):
        if job is not None:
            with suppress(StudioError):  # it has already ended
                request_cancel(person.project_id, job, person=person.name)


def stop_serving(person: Person, of: Round) -> None:
    """Stop serving the student of a round, unless somebody else was serving it before."""
    if of.served_id is not None and not (of.was_served or of.is_driven):
        with suppress(StudioError):  # a person has stopped it already
            serving.stop_serving(person, of.served_id)
