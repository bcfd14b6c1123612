"""Who listens to a queue is told from what each worker says of itself."""

from typing import Any

import pytest

from tapes_app.jobs.services.listeners import Listening, tell_listening
from tapes_app.jobs.store.workers import Worker


def worker(listened_seconds: dict[str, float], **values: Any) -> Worker:
    usual = {"beat_seconds": 1.0, "is_alive": True, "is_gone": False, "memory_bytes": None}
    return Worker("host", 1, listened_seconds, **{**usual, **values})


@pytest.mark.parametrize(
    ("workers", "expected"),
    [
        ([], Listening("agents", None, is_heard=False)),
        ([worker({"train": 1.0})], Listening("agents", None, is_heard=False)),
        ([worker({"agents": 1.0})], Listening("agents", 1.0, is_heard=True)),
        ([worker({"agents": 60.0, "train": 1.0})], Listening("agents", 60.0, is_heard=False)),
        ([worker({"agents": 1.0}, is_gone=True)], Listening("agents", 1.0, is_heard=False)),
        (
            [worker({"agents": 60.0}), worker({"agents": 2.0})],
            Listening("agents", 2.0, is_heard=True),
        ),
    ],
)
def test_a_queue_is_heard_if_somebody_who_lives_listens_to_it(
    workers: list[Worker], expected: Listening
) -> None:
    assert tell_listening(["agents"], workers) == {"agents": expected}
