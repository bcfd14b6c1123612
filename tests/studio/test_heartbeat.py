"""The file by which a worker is known."""

from pathlib import Path

import pytest
from pytest_django.fixtures import Settings

from studio import heartbeat
from studio.health import list_workers
from studio.heartbeat import Heartbeat
from tests.waiting import wait_until

_LOOKS = 2_000


def test_a_worker_is_there_also_while_it_tells_of_itself_anew(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.STUDIO_DATA_DIR = tmp_path
    monkeypatch.setattr(heartbeat, "HEARTBEAT_SECONDS", 0)  # it writes all the time
    beating = Heartbeat(["agents"])
    beating.start()
    try:
        wait_until(list_workers, "the first heartbeat")
        seen = {len(list_workers()) for _ in range(_LOOKS)}
    finally:
        beating.stop()

    assert seen == {1}
