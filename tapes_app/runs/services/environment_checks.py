"""Checking an environment now: whether its server answers, or what it needs can be started.

A worker does it, as it does runs: only workers start the programs that an operator allowed.
"""

import time
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.utils import timezone

from tapes_app.agents.services.mcp_servers import McpToolRow, ask_for_tools, list_servers
from tapes_app.engine.environment.spec import environments
from tapes_app.engine.errors import InvalidInputError, NotFoundError, StudioError
from tapes_app.engine.redaction import redact
from tapes_app.environments.mcp.tools import PREFIX
from tapes_app.environments.needs import NEEDS
from tapes_app.jobs.domain.protocol import FINAL_STATES
from tapes_app.jobs.services.context import JobContext
from tapes_app.jobs.services.registry import Outcome, job_kind
from tapes_app.jobs.store.job import Job, create_job, list_jobs
from tapes_app.projects.domain.wording import count_of
from tapes_app.projects.services.people import Person
from tapes_app.runs.domain.environment_checks import (
    CHECK_KIND,
    Check,
    CheckRequest,
    describe_readiness,
)
from tapes_app.runs.services.session import process_notes

RECENT = timedelta(days=7)
"""How long a check counts."""

_MOST_CHECKS = 200


def start_check(person: Person, name: str) -> Job:
    """Queue a check of an environment; one that is under way is returned.

    Raises:
        NotFoundError: there is no environment or MCP server of this name.
        InvalidInputError: there is nothing to check, or the file of servers cannot be read.
    """
    _refuse_unknown(name)
    running = find_running(list_checks(person, timezone.now())).get(name)
    if running is not None:
        return running
    return create_job(
        person.project_id,
        CHECK_KIND,
        request=CheckRequest(name=name).model_dump(),
        title=f"Check {name.removeprefix(PREFIX)}",
        owner_id=person.user_id,
    )


def _refuse_unknown(name: str) -> None:
    if name in NEEDS or name in {PREFIX + server.name for server in list_servers()}:
        return
    if name in environments:
        raise InvalidInputError(
            f"There is nothing to check of the environment {name!r}.", name=name
        )
    raise NotFoundError(
        f"There is no environment {name!r} here; a server is named {PREFIX}SERVER.", name=name
    )


@job_kind(CHECK_KIND)
async def execute_check(context: JobContext) -> Outcome:
    """Start what an environment needs, or ask its server for its tools."""
    name = CheckRequest.model_validate(context.job.request).name
    began = time.monotonic()
    tools: list[McpToolRow] | None = None
    try:
        if name.startswith(PREFIX):
            tools = await ask_for_tools(name.removeprefix(PREFIX), notes=process_notes())
        else:
            readiness = await context.run_in_thread(NEEDS[name].start)
            if not readiness.is_ready:
                message = describe_readiness(readiness)
                return Outcome("failed", message, error_code="environment_not_ready")
    except StudioError as error:
        # What a program wrote before it failed may contain its key.
        return Outcome("failed", redact(error.message), error_code=error.code)
    seconds = time.monotonic() - began
    what = "It started" if tools is None else f"It listed {count_of(len(tools), 'tool')}"
    return Outcome(message=f"{what} in {seconds:.1f} s.", result={"seconds": round(seconds, 3)})


def list_checks(person: Person, now: datetime) -> list[Job]:
    """Return the recent checks of a project, newest first."""
    return list_jobs(person.project_id, kinds=(CHECK_KIND,), since=now - RECENT, limit=_MOST_CHECKS)


def find_running(checks: Iterable[Job]) -> dict[str, Job]:
    """Return the checks that are under way, by environment."""
    return {_name_of(job): job for job in checks if job.state not in FINAL_STATES}


def find_newest(checks: Iterable[Job]) -> dict[str, Check]:
    """Return the newest check of each environment that came to an end of its own."""
    found: dict[str, Check] = {}
    for job in checks:
        if job.state in ("succeeded", "failed") and job.finished_at is not None:
            check = Check(job.finished_at, job.state == "succeeded", job.message)
            found.setdefault(_name_of(job), check)
    return found


def _name_of(job: Job) -> str:
    return CheckRequest.model_validate(job.request).name
