"""Processes to kill, a Redis where one answers, and what carries wake hints."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.jobs.processes import Processes


@pytest.fixture(params=["database", "redis"])
def hints(request: pytest.FixtureRequest, settings: Any) -> str:
    """What carries wake hints: Redis, or else NOTIFY or sockets, as the database has it."""
    carrier = str(request.param)
    if carrier == "redis":
        settings.REDIS_URL = request.getfixturevalue("redis_url")
    return carrier


@pytest.fixture
def processes(tmp_path: Path) -> Iterator[Processes]:
    yield from run_processes(Processes(tmp_path / "processes.log"), tmp_path)


@pytest.fixture
def redis_processes(tmp_path: Path, redis_url: str) -> Iterator[Processes]:
    """The same with Redis as the broker and for wake hints."""
    started = Processes(tmp_path / "processes.log", redis_url=redis_url)
    yield from run_processes(started, tmp_path)


def run_processes(processes: Processes, folder: Path) -> Iterator[Processes]:
    yield processes
    processes.close()
    log = folder / "processes.log"
    if log.exists():
        print(log.read_text())  # noqa: T201 - shown when the test fails
