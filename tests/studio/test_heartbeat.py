"""The heartbeat file of a worker."""

import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django.fixtures import Settings

from studio import heartbeat, listening
from studio.heartbeat import Heartbeat
from studio.listening import list_deaf
from tapes_app.jobs.store.workers import list_workers
from tests.waiting import PATIENCE_SECONDS, wait_until

_LOOKS = 2_000


@pytest.fixture(autouse=True)
def threads_end() -> Iterator[None]:
    """A heartbeat that has been stopped removes its file once more."""
    before = set(threading.enumerate())
    yield
    wait_until(lambda: before.issuperset(threading.enumerate()), "the end of the thread")


def test_a_worker_is_there_also_while_it_tells_of_itself_anew(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.STUDIO_DATA_DIR = tmp_path
    monkeypatch.setattr(heartbeat, "HEARTBEAT_SECONDS", 0)  # it writes continuously
    beating = Heartbeat(["agents"])
    beating.start()
    try:
        wait_until(list_workers, "the first heartbeat")
        seen = {len(list_workers()) for _ in range(_LOOKS)}
    finally:
        beating.stop()

    assert seen == {1}


def test_a_worker_that_stops_while_it_tells_of_itself_is_gone(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.STUDIO_DATA_DIR = tmp_path
    is_looking, may_go_on = hold_up(monkeypatch)
    before = set(threading.enumerate())
    beating = Heartbeat(["agents"])
    beating.start()
    assert is_looking.wait(PATIENCE_SECONDS)

    beating.stop()
    may_go_on.set()
    wait_until(lambda: before.issuperset(threading.enumerate()), "the end of the thread")

    assert list_workers() == []


@pytest.mark.parametrize(("redis_url", "is_written"), [("", False), ("redis://127.0.0.1:1", True)])
def test_a_deaf_worker_falls_silent_to_be_replaced_unless_redis_may_be_away(
    settings: Settings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    redis_url: str,
    *,
    is_written: bool,
) -> None:
    settings.STUDIO_DATA_DIR, settings.REDIS_URL = tmp_path, redis_url
    monkeypatch.setattr(heartbeat, "HEARTBEAT_SECONDS", 0)
    monkeypatch.setattr(listening, "DEAF_AFTER_SECONDS", -1.0)  # at once
    looks = Counter[str]()

    def look_and_count(listened_at: dict[str, float]) -> list[str]:
        looks.update(list(listened_at))
        return list_deaf(listened_at)

    monkeypatch.setattr(heartbeat, "list_deaf", look_and_count)
    beating = Heartbeat(["agents"])
    beating.start()
    try:
        wait_until(lambda: looks["agents"] > 2, "some beats")
        workers = list_workers()
    finally:
        beating.stop()

    assert [one.queues for one in workers] == ([("agents",)] if is_written else [])


def hold_up(monkeypatch: pytest.MonkeyPatch) -> tuple[threading.Event, threading.Event]:
    """Stop a heartbeat before it writes; return whether it is there, and whether it may go on."""
    is_looking, may_go_on = threading.Event(), threading.Event()

    def look_when_allowed(listened_at: dict[str, float]) -> list[str]:
        is_looking.set()
        assert may_go_on.wait(PATIENCE_SECONDS)
        return list_deaf(listened_at)

    monkeypatch.setattr(heartbeat, "list_deaf", look_when_allowed)
    return is_looking, may_go_on
