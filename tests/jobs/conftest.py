"""Processes to kill, and a Redis where one answers."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.jobs.processes import Processes


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
