"""Run an agent on a tape, or on a message, and wait for the end."""

import asyncio
import threading
import time
from typing import Any
from uuid import UUID

from django.core.management.base import CommandParser

from tapes_app import job_kinds  # noqa: F401 - registers what a worker can do
from tapes_app.agents.services.agents import list_gallery
from tapes_app.agents.store.agents import ensure_version, find_agent
from tapes_app.agents.store.llm_models import list_models
from tapes_app.engine.errors import InvalidInputError, NotFoundError
from tapes_app.jobs.protocol import FINAL_STATES
from tapes_app.jobs.services.host import Host
from tapes_app.jobs.store.job import Job, load_job
from tapes_app.management.command_line import Answer, StudioCommand, find_tape
from tapes_app.projects.services.people import Person
from tapes_app.projects.wording import count_of
from tapes_app.runs.request import RunRequest
from tapes_app.runs.services.starting import StartedRun, resume_tape, start_tape
from tapes_app.tapes.store.headers import load_header, load_outline

_QUEUE = "agents"
_POLL_SECONDS = 0.2


class Command(StudioCommand):
    help = "Run an agent of the project or the gallery and print the steps that it adds."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("name", metavar="NAME", help="agent")
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("--tape", metavar="ID", help="tape to continue")
        what.add_argument("--message", metavar="TEXT", help="message that starts a new tape")
        parser.add_argument("--at", metavar="N", type=int, help="keep only the first N steps")
        parser.add_argument("--model", metavar="NAME", default="", help="model for all LLMs")

    def work(self, person: Person, options: dict[str, Any]) -> Answer:
        started = _start(person, options)
        job = _finish(person, started.job_id)
        outline = load_outline(started.tape_id, person.project_id)
        for row in outline:
            self.tell(f"{row.position:4} {row.kind}: {row.gist}")
        errors = load_header(started.tape_id, person.project_id).error_count
        summary = f"Run {job.state}: tape {started.tape_id} has {count_of(len(outline), 'step')}"
        values = {
            "tape": str(started.tape_id),
            "job": str(job.id),
            "state": job.state,
            "message": job.message,
            "steps": len(outline),
            "errors": errors,
        }
        detail = f"; {job.message}" if job.message else "."
        is_done = job.state in {"succeeded", "waiting"}
        return Answer(f"{summary}{detail}", values, is_done=is_done)


def _start(person: Person, options: dict[str, Any]) -> StartedRun:
    version_id = _find_version(person, options["name"])
    model_id = _find_model(person, options["model"])
    request = RunRequest(agent_version_id=version_id, model_id=model_id)
    if options["tape"] is None:
        if options["at"] is not None:
            raise InvalidInputError("--at needs --tape: a new tape has no steps to keep.")
        return start_tape(person, request, message=options["message"])
    tape_id = find_tape(person, options["tape"])
    return resume_tape(person, tape_id, request, at=options["at"])


def _find_version(person: Person, name: str) -> UUID:
    agent = find_agent(name, person.project_id)
    if agent is not None:
        return agent.latest_version_id
    shipped = {agent.name: agent.spec for agent in list_gallery()}
    if name not in shipped:
        raise NotFoundError(f"There is no agent {name!r}; the gallery has {sorted(shipped)}.")
    return ensure_version(person.project_id, shipped[name], owner=person.user_id).id


def _find_model(person: Person, name: str) -> UUID | None:
    if not name:
        return None
    known = {row.name: row.id for row in list_models(person.project_id)}
    if name not in known:
        raise NotFoundError(f"There is no model {name!r}; available: {sorted(known)}.")
    return known[name]


def _finish(person: Person, job_id: UUID) -> Job:
    """Work on the queue here until the job rests; a worker elsewhere may do it just as well."""
    while True:
        asyncio.run(Host(_QUEUE, concurrency=4, stopping=threading.Event()).work())
        job = load_job(person.project_id, job_id)
        if job.state in FINAL_STATES or job.state in {"waiting", "paused"}:
            return job
        time.sleep(_POLL_SECONDS)
