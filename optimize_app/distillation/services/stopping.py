"""Ending what a round of a distillation has under way; what it has made stays."""

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
    """End what a distillation that nobody works on has started."""
    job = load_job(project_id, job_id)
    course = Course.model_validate(job.checkpoint or {})
    end_round(identify_owner(job.owner_id, project_id), course)


def end_round(person: Person, course: Course) -> None:
    """End the runs, the server and the jobs of the last round, unless it is over."""
    if course.is_between_rounds:
        return
    last = course.rounds[-1]
    for run in (last.teacher_run, last.student_run):
        if run is not None:
            with suppress(StudioError):  # it is over
                reruns.cancel_rerun(person, run)
    stop_serving(person, last)
    for job in (last.teacher_set, last.student_set, last.finetune):
        if job is not None:
            with suppress(StudioError):  # it is over
                request_cancel(person.project_id, job, person=person.name)


def stop_serving(person: Person, of: Round) -> None:
    """End that the student of a round is served, unless somebody else had that before."""
    if of.served_id is not None and not (of.was_served or of.is_driven):
        with suppress(StudioError):  # a person has stopped it
            serving.stop_serving(person, of.served_id)
