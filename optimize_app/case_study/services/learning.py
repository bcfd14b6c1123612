"""The student's base, training set and finetune, by the services that the pages use."""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID

from optimize_app.case_study.services.runner import Runner
from optimize_app.case_study.services.teaching import lessons_name
from optimize_app.case_study.settings import StudySettings
from optimize_app.case_study.study_folder import StudyFolder, read_piece
from optimize_app.finetune.request import FinetuneRequest
from optimize_app.finetune.services.base_jobs import start_base_model
from optimize_app.finetune.services.finetune_jobs import start_finetune
from optimize_app.finetune.store.adapters import find_adapter
from optimize_app.training_sets.services.request import TrainingSetRequest
from optimize_app.training_sets.services.set_jobs import start_training_set
from optimize_app.training_sets.store.sets import find_set
from tapes_app.engine.errors import ConflictError
from tapes_app.jobs.domain.protocol import FINAL_STATES
from tapes_app.jobs.store.commands import requeue_job
from tapes_app.jobs.store.job import Job, load_job
from tapes_app.projects.services.people import Person

JOB_PIECES = ("base", "set", "student")
"""Pieces that are jobs of their own."""

_HELD_OUT_SHARE = 0.05


def make_base(
    person: Person, settings: StudySettings, folder: StudyFolder, runner: Runner
) -> dict[str, Any]:
    """Return the student's base; the tiny one is made unless it is there."""
    if settings.student:
        return {"base": settings.student}
    result = _finish(
        person, folder, "base", runner, lambda: start_base_model(person, settings.base)
    )
    return {"base": settings.base.name, "made": result}


def make_set(
    person: Person, settings: StudySettings, folder: StudyFolder, runner: Runner
) -> dict[str, Any]:
    """Make the training set of the lessons: each call of the student, rebuilt."""
    request = TrainingSetRequest(
        name=set_name(settings),
        q=f'batch:"{lessons_name(settings)}"',
        source="rebuilt",
        held_out_share=_HELD_OUT_SHARE,
        seed=settings.seed,
    )
    return _finish(person, folder, "set", runner, lambda: start_training_set(person, request))


def set_name(settings: StudySettings) -> str:
    return f"{settings.name} set"


def finetune(
    person: Person, settings: StudySettings, folder: StudyFolder, base: str, runner: Runner
) -> dict[str, Any]:
    """Finetune the base on the set."""
    made = find_set(set_name(settings), person.project_id)
    request = request_finetune(settings, base, made.id)
    result = _finish(person, folder, "student", runner, lambda: start_finetune(person, request))
    adapter = find_adapter(request.name, person.project_id)
    assert adapter is not None
    return {"adapter": str(adapter.id), **result}


def request_finetune(settings: StudySettings, base: str, training_set_id: UUID) -> FinetuneRequest:
    return FinetuneRequest(
        name=f"{settings.name} student",
        training_set_id=training_set_id,
        base=base,
        preset=settings.preset,
        options={"seed": settings.seed, **settings.options},
    )


def find_job(place: Path, piece: str) -> UUID | None:
    """Return the job that makes or made a piece of the study in a folder; `None`: none yet."""
    kept = read_piece(place, f"job-{piece}")
    return None if kept is None else UUID(kept["job"])


def _finish(
    person: Person, folder: StudyFolder, piece: str, runner: Runner, start: Callable[[], Job]
) -> dict[str, Any]:
    """Return the result of a job, which goes on if an earlier command was stopped in it.

    Raises:
        ConflictError: the job failed, or somebody cancelled it.
    """
    kept = folder.read(f"job-{piece}")
    if kept is None:
        kept = {"job": str(runner.start(piece, start))}
        folder.write(f"job-{piece}", kept)
    job = load_job(person.project_id, UUID(kept["job"]))
    if job.state in FINAL_STATES and job.state != "succeeded":
        requeue_job(person.project_id, job.id)
    job = runner.finish(person, job.id)
    if job.state != "succeeded":
        raise ConflictError(
            f"{job.title} did not succeed: {job.message} Resume the study to try it again."
        )
    return dict(job.result or {})
