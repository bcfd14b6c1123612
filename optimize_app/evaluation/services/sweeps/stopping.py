"""Pausing, continuing and ending a sweep."""

from contextlib import suppress
from uuid import UUID

from optimize_app.evaluation.plan import Progress
from optimize_app.evaluation.request import SWEEP_KIND
from tapes_app.batches.services import reruns
from tapes_app.engine.errors import StudioError
from tapes_app.jobs.store.commands import continue_job, request_pause
from tapes_app.jobs.store.job import Job, load_job
from tapes_app.jobs.store.many_jobs import cancel_jobs
from tapes_app.library.services.bulk_job import load_bulk_job
from tapes_app.projects.services.people import Person, identify_owner


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


def end_started(project_id: UUID, job_id: UUID) -> None:
    """End the runs of a sweep that has no worker."""
    job = load_job(project_id, job_id)
    progress = Progress.model_validate(job.checkpoint or {})
    end_runs(identify_owner(job.owner_id, project_id), progress)


def end_runs(person: Person, progress: Progress) -> None:
    """End the runs of all cells, and their scoring; what they have done stays."""
    if progress.scoring is not None:
        cancel_jobs(person.project_id, [progress.scoring], person=person.name)
    for run in reruns.load_reruns(person, list(progress.runs.values())):
        if run.is_going_on or run.is_held:
            with suppress(StudioError):  # it has already ended
                reruns.cancel_rerun(person, run.id)
