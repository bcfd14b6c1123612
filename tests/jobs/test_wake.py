"""Hints reach everybody who listens, over whatever there is to carry them."""

import asyncio
import contextlib
import socket
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from tapes_app.jobs.store import wake

pytestmark = pytest.mark.django_db(transaction=True)


def send_hint() -> None:
    wake.notify("events")
    connection.close()


async def count_hints(hints: int, listeners: int = 2) -> list[int]:
    """Send hints one after the other; return how many each listener was called for."""
    seen = [asyncio.Event() for _ in range(listeners)]
    counts = [0] * listeners
    listening = [wake.listen("events", event.set) for event in seen]
    for _ in range(hints):
        for number, event in enumerate(seen):
            async with asyncio.timeout(20):
                while not event.is_set():  # a server may need a moment to know its listeners
                    await asyncio.to_thread(send_hint)
                    with contextlib.suppress(TimeoutError):
                        await asyncio.wait_for(event.wait(), 0.2)
            event.clear()
            counts[number] += 1
    for listener in listening:
        listener.close()
        await listener.wait_closed()
    return counts


async def test_hints_reach_every_listener() -> None:
    assert await count_hints(3) == [3, 3]


async def test_hints_travel_over_redis(settings: Any, redis_url: str) -> None:
    settings.REDIS_URL = redis_url

    assert await count_hints(3) == [3, 3]


async def test_a_topic_wakes_only_those_who_listen_to_it() -> None:
    jobs, events = asyncio.Event(), asyncio.Event()
    listening = [wake.listen("jobs", jobs.set), wake.listen("events", events.set)]

    async with asyncio.timeout(20):
        while not events.is_set():
            await asyncio.to_thread(send_hint)
    for listener in listening:
        listener.close()
        await listener.wait_closed()

    assert not jobs.is_set()


async def test_sockets_of_dead_listeners_are_swept_away(is_postgres: bool) -> None:
    if is_postgres:
        pytest.skip("PostgreSQL carries its hints itself")
    listener = wake.listen("events", lambda: None)
    left_behind = next(wake.wake_folder().glob("events-*"))
    listener.close()
    bind_and_die(left_behind)

    wake.notify("events")

    assert not left_behind.exists()


def test_a_data_folder_with_a_long_name_has_its_sockets_elsewhere(
    settings: Any, tmp_path: Path
) -> None:
    settings.STUDIO_DATA_DIR = tmp_path / ("a" * 90)

    folder = wake.wake_folder()

    assert len(str(folder)) < 80
    assert folder.stat().st_mode & 0o777 == 0o700
    folder.rmdir()


def bind_and_die(path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as dying:
        dying.bind(str(path))
