"""Forty runs stream while sockets drop at random and the web server is killed: nothing is lost."""

import asyncio
import json
import random
import sys
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.conf import settings
from django.test import Client
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.typing import Origin

from tapes_app.projects.services.people import Person
from tests.jobs.builders import store_person, store_project
from tests.jobs.processes import Processes
from tests.runs.plugin import build_counter
from tests.runs.sessions import Session, start_session
from tests.waiting import PATIENCE_SECONDS, wait_until

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="hands a socket to the web process"),
]

STREAMS = 40
TURNS = 4
MOST_FRAMES = 40
"""How many come over one connection at most."""

FINAL = {"succeeded", "failed", "cancelled"}


class Browser:
    """Follows one run over connections that break, and keeps every numbered frame."""

    def __init__(self, session: Session, port: int, cookie: str, dice: random.Random) -> None:
        self.frames: list[dict[str, Any]] = []
        self.connection_count = 0
        self._address = f"127.0.0.1:{port}"
        self._path = f"ws://{self._address}/ws/jobs/{session.job.id}"
        self._cookie = cookie
        self._dice = dice

    @property
    def last_seq(self) -> int:
        return self.frames[-1]["seq"] if self.frames else 0

    @property
    def is_done(self) -> bool:
        last = self.frames[-1] if self.frames else {}
        return last.get("type") == "job.state" and last["state"] in FINAL

    async def follow(self) -> None:
        while not self.is_done:
            try:
                await self._follow_for_a_while()
            except (ConnectionClosed, InvalidHandshake, OSError, TimeoutError):
                continue

    async def _follow_for_a_while(self) -> None:
        # After frames rather than seconds: on a slow machine few of them come in a second.
        drops_after = self._dice.randint(1, MOST_FRAMES)
        async with (
            asyncio.timeout(PATIENCE_SECONDS),
            connect(
                f"{self._path}?after={self.last_seq}",
                origin=Origin(f"http://{self._address}"),
                additional_headers={"Cookie": self._cookie},
                proxy=None,
            ) as socket,
        ):
            self.connection_count += 1
            had = len(self.frames)
            while not self.is_done and len(self.frames) < had + drops_after:
                frame = json.loads(await socket.recv())
                if "seq" in frame:
                    self.frames.append(frame)


def start_streams() -> tuple[list[Session], str]:
    project = store_project()
    user = store_person(project)
    person = Person(user.pk, user.get_username(), project.id, project.name, "member")
    client = Client()
    client.force_login(user)
    name = settings.SESSION_COOKIE_NAME
    spec = build_counter(delay_seconds=0.05)
    sessions = [start_session(str(TURNS), spec=spec, person=person) for _ in range(STREAMS)]
    return sessions, f"{name}={client.cookies[name].value}"


async def follow_all(browsers: list[Browser], processes: Processes) -> None:
    def wait_for_frames(count: int) -> None:
        def has_come() -> bool:
            return sum(len(browser.frames) for browser in browsers) >= count

        wait_until(has_come, f"{count} frames")

    async def kill_web_twice() -> None:
        web = processes.start_web()
        for count in (STREAMS * 10, STREAMS * 30):
            await asyncio.to_thread(wait_for_frames, count)
            processes.kill(web)
            web = processes.start_web()

    async with asyncio.timeout(PATIENCE_SECONDS), asyncio.TaskGroup() as group:
        group.create_task(kill_web_twice())
        for browser in browsers:
            group.create_task(browser.follow())


async def test_every_step_arrives_exactly_once_and_in_order(processes: Processes) -> None:
    sessions, cookie = await database_sync_to_async(start_streams)()
    dice = random.Random(7)
    browsers = [Browser(session, processes.port, cookie, dice) for session in sessions]
    processes.start_sweeper()
    processes.start_worker(pool="threads")

    await follow_all(browsers, processes)

    assert sum(browser.connection_count for browser in browsers) > 2 * STREAMS
    for session, browser in zip(sessions, browsers, strict=True):
        tape = await database_sync_to_async(session.load_tape)()
        frames = browser.frames
        assert [frame["seq"] for frame in frames] == list(range(1, len(frames) + 1))
        added = [frame for frame in frames if frame["type"] == "step.added"]
        assert [frame["position"] for frame in added] == list(range(1, len(tape)))
        assert [frame["step"]["body"] for frame in added] == [step.to_json() for step in tape][1:]
        assert_text_is_whole(frames, [step.text for step in tape if hasattr(step, "text")])


def assert_text_is_whole(frames: list[dict[str, Any]], answers: list[str]) -> None:
    ends = [frame for frame in frames if frame["type"] == "node.finished"]
    deltas = [frame for frame in frames if frame["type"] == "step.delta"]
    for end, answer in zip(ends, answers, strict=True):
        mine = [frame["text"] for frame in deltas if frame["prompt_id"] == end["prompt_id"]]
        assert "".join(mine) == answer
