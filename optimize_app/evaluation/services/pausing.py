"""Pausing a sweep holds what is in progress; continuing it resumes from there."""

from uuid import UUID

from optimize_app.evaluation.request import SWEEP_KIND
from tapes_app.jobs.store.commands import continue_job, request_pause
from tapes_app.jobs.store.job import Job
from tapes_app.library.services.bulk_job import load_bulk_job
from tapes_app.projects.services.people import Person


def pause_sweep(person: Person, job_id: UUID) -> Job:
    """Start nothing more of a sweep, and hold its runs at their next safe point.

    Raises:
        NotFoundError: the project has no such sweep.
        ConflictError: it has finished.
    """
    load_bulk_job(person, job_id, SWEEP_KIND)
    return request_pause(person.project_id, job_id, person=person.name)


def continue_sweep(person: Person, job_id: UUID) -> Job:
    """Resume a sweep and its held runs; a sweep that is about to pause does not pause.

    Raises:
        NotFoundError: the project has no such sweep.
        ConflictError: it has finished.
    """
    load_bulk_job(person, job_id, SWEEP_KIND)
    return continue_job(person.project_id, job_id, is_stepping=False)
