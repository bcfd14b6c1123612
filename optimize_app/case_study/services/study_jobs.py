"""The job of a study: a worker carries it out in a folder of its own, and other workers help."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import get_args
from uuid import UUID, uuid4

from django.conf import settings as django_settings

from optimize_app.case_study.services.answers import batch_name
from optimize_app.case_study.services.learning import (
    JOB_PIECES,
    find_job,
    request_finetune,
    set_name,
)
from optimize_app.case_study.services.study import ARMS, run_study
from optimize_app.case_study.services.teaching import lessons_name
from optimize_app.case_study.settings import StudySettings
from optimize_app.finetune.services.base_jobs import is_made
from optimize_app.finetune.services.finetune_jobs import check_base, check_learns_answers
from optimize_app.serving.request import SERVE_QUEUE
from optimize_app.training_sets.store import sets
from tapes_app.agents.store.llm_models import find_model
from tapes_app.bulk.store.made_batches import check_new_name
from tapes_app.engine.errors import ConflictError, InvalidInputError, StudioError
from tapes_app.jobs.domain.protocol import FINAL_STATES, JobState
from tapes_app.jobs.services.context import JobContext
from tapes_app.jobs.services.registry import Outcome, job_kind
from tapes_app.jobs.services.stages import start_stages
from tapes_app.jobs.services.stopping import run_until_stopped
from tapes_app.jobs.store.commands import request_cancel
from tapes_app.jobs.store.job import Job, list_jobs, load_job
from tapes_app.projects.services.people import Person, identify_owner

STUDY_KIND = "study"
_GROUP = UUID("0d3c4a51-6a86-4a51-8f8e-4f7f4b2f5b7e")
_LOOK_SECONDS = 0.5
_NEWS_SECONDS = 1.0
_MOST_LISTED = 1000


class _StoppedError(Exception):
    """The job was cancelled, or its worker stops."""


def folder_of(job_id: UUID) -> Path:
    """Return where the study of a job is kept."""
    return Path(django_settings.STUDIO_DATA_DIR) / "studies" / str(job_id)


def start_study(person: Person, settings: StudySettings) -> Job:
    """Queue a study.

    Raises:
        StudioError: it could not be started, as `check_study` says.
    """
    check_study(person, settings)
    return start_stages(
        person,
        STUDY_KIND,
        settings.model_dump(mode="json"),
        title=f"Study {settings.name}",
        queue=SERVE_QUEUE,
        group=_GROUP,
    )


def check_study(person: Person, settings: StudySettings) -> None:
    """Refuse what would fail later.

    Raises:
        ConflictError: a batch, a training set, a base or another study already has a name it needs.
        InvalidInputError: there is no such teacher or student, or an option of the finetune is
            unknown or out of bounds.
        DeviceError: the disk has no room for the student's checkpoints.
        ArtefactError: the artefact store cannot be reached.
    """
    project = person.project_id
    unfinished = set(get_args(JobState)) - FINAL_STATES
    going_on = list_jobs(project, kinds=(STUDY_KIND,), states=unfinished, limit=_MOST_LISTED)
    if settings.name in {job.request["name"] for job in going_on}:
        raise ConflictError(f"A study {settings.name!r} is under way. Choose another name.")
    for name in (lessons_name(settings), *(batch_name(settings, arm) for arm in ARMS)):
        check_new_name(project, name)
    if sets.is_name_taken(project, set_name(settings)):
        raise ConflictError(
            f"There is a training set {set_name(settings)!r} already. Choose another name."
        )
    if settings.teacher and find_model(settings.teacher, project) is None:
        raise InvalidInputError(
            f"There is no model {settings.teacher!r}. Add it on the Models page first.",
            field="teacher",
        )
    finetune = request_finetune(settings, settings.student or settings.base.name, uuid4())
    if settings.student:
        config = check_base(person, finetune)
    else:
        is_made(settings.base)
        config = finetune.configure(finetune.base)  # there may be no weights yet
    check_learns_answers(config)


@job_kind(STUDY_KIND)
async def execute_study(context: JobContext) -> Outcome:
    """Do what is missing of the study; a later attempt continues in its folder."""
    return await run_until_stopped(context, _work, _end_started)


def _work(context: JobContext, stopped: threading.Event) -> Outcome:
    job = context.job
    settings = StudySettings.model_validate(job.request)
    person = identify_owner(job.owner_id, job.project_id)
    try:
        report = run_study(person, settings, folder_of(job.id), _Worker(context, stopped))
    except _StoppedError:
        return Outcome("cancelled")
    rates = {arm: report["arms"][arm]["greadth"] for arm in ARMS}
    words = ", ".join(f"{arm} {rate * 100:.1f} %" for arm, rate in rates.items())
    return Outcome(message=f"GREADTH: {words}.", result={"greadth": rates})


def _end_started(job_id: UUID, project_id: UUID) -> None:
    """End the jobs that a cancelled study has started; what they made stays."""
    for piece in JOB_PIECES:
        started = find_job(folder_of(job_id), piece)
        if started is not None:
            with suppress(StudioError):  # it has already ended
                request_cancel(
                    project_id, started, person=load_job(project_id, job_id).cancelled_by
                )


class _Worker:
    """Carries out a study in a worker's thread, and leaves its jobs to whoever does such jobs."""

    def __init__(self, context: JobContext, stopped: threading.Event) -> None:
        self._context = context
        self._stopped = stopped
        self._noted = 0.0
        self._started: dict[str, str] = context.job.checkpoint or {}

    def say(self, line: str) -> None:
        """Report at once."""
        self._look()
        self._context.report_news(0, 1, line)

    def note(self, line: str) -> None:
        """Report now and then."""
        self._look()
        now = time.monotonic()
        if now - self._noted >= _NEWS_SECONDS:
            self._noted = now
            self._context.report_news(0, 1, line)

    def start(self, piece: str, start: Callable[[], Job]) -> UUID:
        """Start a job and keep its id in one transaction, so that no other worker starts it too."""
        started: dict[str, str] = {}

        def begin() -> dict[str, str]:
            started.update(self._started | {piece: str(start().id)})
            return started

        if piece not in self._started:
            self._context.start_and_keep(begin)
            self._started = started
        return UUID(self._started[piece])

    def finish(self, person: Person, job_id: UUID) -> Job:
        """Wait for a job, and show what it says."""
        while (job := load_job(person.project_id, job_id)).state not in FINAL_STATES:
            self.note(f"{job.title}: {job.message or 'waiting to start'}")
            self._stopped.wait(_LOOK_SECONDS)
        return job

    @contextmanager
    def working_on(self, queue: str) -> Iterator[None]:  # noqa: ARG002 - workers are there
        """Do nothing: the studio's workers do jobs of all queues."""
        yield

    def _look(self) -> None:
        if self._stopped.is_set():
            raise _StoppedError
