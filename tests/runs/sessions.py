"""Saved tapes with an agent that is about to run on them."""

import json
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from tapes_app import job_kinds  # noqa: F401 - registers what a worker can do
from tapes_app.agents.store.agents import ensure_version
from tapes_app.engine.agent.spec import AgentSpec
from tapes_app.engine.tape.dialog_steps import UserStep
from tapes_app.engine.tape.tape import Tape
from tapes_app.jobs.store.job import Job
from tapes_app.jobs.store.log import read_events
from tapes_app.projects.services.people import Person
from tapes_app.runs.domain.request import RunRequest
from tapes_app.runs.services.starting import start_run
from tapes_app.tapes.store.loading import load_tape
from tapes_app.tapes.store.saving import save_tape
from tests.jobs.builders import store_person, store_project
from tests.runs.plugin import build_counter


@dataclass(frozen=True)
class Session:
    """A run that was asked for."""

    person: Person
    tape_id: UUID
    job: Job

    def load_tape(self) -> Tape:
        return load_tape(self.tape_id, self.person.project_id)

    def read_frames(self) -> list[dict[str, Any]]:
        events = read_events({self.job.id: 0}, limit=1_000_000)
        return [json.loads(event.payload) for event in events]


def store_member() -> Person:
    project = store_project()
    user = store_person(project)
    return Person(user.pk, user.get_username(), project.id, project.name, "member")


def start_session(
    say: str = "3",
    *,
    spec: AgentSpec | None = None,
    person: Person | None = None,
    **options: Any,
) -> Session:
    person = person or store_member()
    version = ensure_version(person.project_id, spec or build_counter(), owner=person.user_id)
    tape = Tape(steps=(UserStep(content=say),))
    tape_id = save_tape(person.project_id, tape, owner=person.user_id, writer="person")
    job = start_run(
        person, tape_id, RunRequest(**{"agent_version_id": version.id, "max_turns": 500, **options})
    )
    return Session(person, tape_id, job)
