"""Runs: an agent version running on a tape, as a job."""

from collections import defaultdict
from uuid import UUID

from django.db import transaction

from tapes_app.agents.store import agents as agent_storage
from tapes_app.agents.store import llm_models as model_storage
from tapes_app.engine.errors import ConflictError
from tapes_app.jobs.control import JobControl
from tapes_app.jobs.run_result import RUN_KIND
from tapes_app.jobs.store.job import Job, create_job, find_active_job
from tapes_app.projects.services.people import Person
from tapes_app.runs.request import RunRequest
from tapes_app.tapes.store import headers
from tapes_app.tapes.store.access import get_tape_to_change

_ADVICE: defaultdict[str, str] = defaultdict(
    lambda: "stop it or wait for it",
    paused="continue it, stop it, or make a change to continue on a new tape",
    waiting="answer it or stop it",
)


@transaction.atomic
def start_run(person: Person, tape_id: UUID, request: RunRequest) -> Job:
    """Queue a run that continues the tape itself.

    Raises:
        NotFoundError: no such tape, agent version or model in the project.
        ArchivedError: the tape is archived.
        ConflictError: a run of this tape is going on or waits.
    """
    get_tape_to_change(tape_id, person.project_id)  # one start at a time
    version = agent_storage.load_version(request.agent_version_id, person.project_id)
    if request.model_id is not None:
        model_storage.load_model(request.model_id, person.project_id)
    active = find_active_job(tape_id)
    if active is not None:
        raise ConflictError(
            f"This tape already has a run that is {active.state}; {_ADVICE[active.state]}.",
            job_id=str(active.id),
            state=active.state,
        )
    title = headers.load_header(tape_id, person.project_id).title
    return create_job(
        person.project_id,
        RUN_KIND,
        request=request.model_dump(mode="json", exclude_defaults=True),
        control=JobControl(breakpoints=request.breakpoints, is_stepping=request.is_stepping),
        title=f"{version.agent_name}: {title}" if title else version.agent_name,
        owner_id=person.user_id,
        tape_id=tape_id,
    )
