"""Every prefix of every tape that ships is resumed over HTTP and ends as the tape itself does."""

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tapes_app import job_kinds  # noqa: F401 - registers what a worker can do
from tapes_app.agents.services.sample_project import load_sample
from tapes_app.agents.store import agents
from tapes_app.engine.tape.tape import Tape
from tapes_app.exchange.services.import_files import import_files
from tapes_app.gallery.continuation.agent import NAME
from tapes_app.interchange.folders import collect_files
from tapes_app.jobs.services.host import Host
from tapes_app.models import MembershipRecord, ProjectRecord
from tapes_app.tapes.store import headers
from tapes_app.tapes.store.loading import load_tape
from tests.http.asking import call
from tests.recordings import EACH_FOLDER

pytestmark = pytest.mark.django_db(transaction=True)

AT_ONCE = 200
"""One worker takes all of them together."""


def test_every_prefix_of_the_sample_tapes_is_accepted_and_ends_alike() -> None:
    studio, project = open_project()
    resumed: list[tuple[Tape, int | None, Any]] = []
    for tape_id in load_sample(project).tape_ids:
        tape = load_tape(tape_id, project)
        header = headers.load_header(tape_id, project)
        version, edited_at = header.agent_version_id, header.forked_at
        for at in range(1, len(tape) + 1):
            place = f"tapes/{tape_id}/fit?agent_version={version}&at={at}"
            assert call(studio, "GET", place)["problems"] == [], f"{tape_id} at {at}"
            body = {
                "agent_version_id": str(version),
                "at": at,
                "parameters": {"delay_seconds": 0},
            }
            started = call(studio, "POST", f"tapes/{tape_id}/resume", body, expect=201)
            # Before a person's edit the agent does again what it did without it.
            resumed.append((tape, at if edited_at is None or at > edited_at else None, started))

    asyncio.run(Host("agents", concurrency=AT_ONCE, stopping=threading.Event()).work())

    for tape, alike_from, started in resumed:
        assert call(studio, "GET", f"jobs/{started['job_id']}")["state"] == "waiting"
        if alike_from is None:
            continue
        child = load_tape(UUID(started["tape_id"]), project)
        expected = tape.fork(next(end for end in turn_ends(tape) if end >= alike_from))
        assert child.content_equals(expected), f"{tape.id} at {alike_from}"
        assert writers(child) == writers(expected)
    assert len(resumed) > 90


@pytest.mark.slow
@pytest.mark.parametrize("folder", EACH_FOLDER)
def test_every_prefix_of_a_recorded_tape_is_accepted_by_an_agent_that_ships(
    folder: Path,
) -> None:
    studio, project = open_project()
    assert import_files(project, collect_files(folder), batch_name=folder.name).imported
    continuation = agents.find_agent(NAME, project)
    assert continuation is not None
    version = str(continuation.latest_version_id)
    jobs: dict[str, str] = {}
    for row in call(studio, "GET", "tapes?limit=200")["items"]:
        for at in range(1, row["step_count"] + 1):
            body = {"agent_version_id": version, "at": at}
            started = call(studio, "POST", f"tapes/{row['id']}/resume", body, expect=201)
            jobs[started["job_id"]] = f"{row['title']} at {at}"

    asyncio.run(Host("agents", concurrency=AT_ONCE, stopping=threading.Event()).work())

    states = {where: call(studio, "GET", f"jobs/{job}")["state"] for job, where in jobs.items()}
    assert {where: it for where, it in states.items() if it not in ("waiting", "succeeded")} == {}


def turn_ends(tape: Tape) -> Iterator[int]:
    """Give how many steps there are whenever the agent has said something to the person."""
    for count in range(1, len(tape) + 1):
        if count == len(tape) or tape[count].kind == "user":
            yield count


def writers(tape: Tape) -> list[tuple[str, str]]:
    return [(step.metadata.agent, step.metadata.node) for step in tape]


def open_project() -> tuple[Client, UUID]:
    owner = User.objects.create_user("ada", password="x")
    project = ProjectRecord.objects.create(name="Ours")
    MembershipRecord.objects.create(project=project, user=owner, role="owner")
    studio = Client()
    studio.force_login(owner)
    return studio, project.id
