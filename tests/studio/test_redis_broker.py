"""With Redis as the broker, it is known who listens, on whichever machine."""

import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from kombu import Connection, Consumer, Message, Queue
from pytest_django.fixtures import Settings

from studio.listening import read_listened
from tapes_app.jobs.services.listeners import read_listening
from tapes_app.jobs.store.workers import list_workers, remove_beat, write_beat

QUEUE = Queue("test-of-listening")


@pytest.fixture
def connection(redis_url: str) -> Iterator[Connection]:
    with Connection(redis_url, transport="studio.redis_broker:Transport") as connection:
        queue = QUEUE(connection.default_channel)
        queue.purge()
        yield connection
        queue.delete()


def test_a_consumer_without_messages_listens(connection: Connection) -> None:
    before = time.time()

    with Consumer(connection, [QUEUE], callbacks=[]), pytest.raises(socket.timeout):
        connection.drain_events(timeout=1.5)

    assert read_listened([QUEUE.name])[QUEUE.name] > before


def test_a_consumer_that_has_its_hands_full_is_not_deaf(connection: Connection) -> None:
    with connection.Producer() as producer:
        for _ in range(2):
            producer.publish({}, routing_key=QUEUE.name, declare=[QUEUE])

    held: list[Message] = []

    with Consumer(connection, [QUEUE], on_message=held.append, prefetch_count=1):
        connection.drain_events(timeout=5)
        before = time.time()
        with pytest.raises(socket.timeout):
            connection.drain_events(timeout=0.1)
        held[0].ack()  # it would be put back

    assert read_listened([QUEUE.name])[QUEUE.name] > before


def test_the_workers_of_other_machines_are_known(
    settings: Settings, tmp_path: Path, redis_url: str
) -> None:
    settings.REDIS_URL = redis_url
    settings.STUDIO_DATA_DIR = tmp_path / "there"
    write_beat("elsewhere", 1, {"far-away": time.time()})

    settings.STUDIO_DATA_DIR = tmp_path / "here"
    while_it_lives = read_listening("far-away")["far-away"]
    remove_beat("elsewhere", 1)

    assert while_it_lives.is_heard
    assert not [one for one in list_workers() if one.host == "elsewhere"]


def test_nobody_is_known_while_redis_is_away(settings: Settings, tmp_path: Path) -> None:
    settings.STUDIO_DATA_DIR = tmp_path
    settings.REDIS_URL = "redis://127.0.0.1:1/0"

    write_beat("elsewhere", 1, {"agents": time.time()})

    assert [one.host for one in list_workers()] == ["elsewhere"]
