"""The broker in a folder: nothing half-written is read, and nothing unreadable stops a reader."""

import base64
import json
import logging
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from kombu import Connection, Consumer, Exchange, Producer, Queue

from studio.file_broker import remove_leftovers
from tests.studio.broker_process import QUEUE, connect
from tests.studio.broker_race import run_race

KOMBU = "kombu.transport.filesystem:Transport"
CONTROL = Exchange("celery.pidbox", type="fanout", durable=False)
ENVELOPE = {
    "body": base64.b64encode(b'"hello"').decode(),
    "content-type": "application/json",
    "content-encoding": "utf-8",
    "headers": {},
    "properties": {
        "body_encoding": "base64",
        "delivery_tag": "1",
        "delivery_info": {"exchange": "", "routing_key": "agents"},
    },
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("queue", "done", "broken", "control"):
        (tmp_path / name).mkdir()
    return tmp_path


@pytest.fixture
def connection(folder: Path) -> Iterator[Connection]:
    with connect(folder) as connected:
        yield connected


def send(connection: Connection, *bodies: object, **options: Any) -> None:
    with connection.channel() as channel:
        producer = Producer(channel)
        for body in bodies:
            producer.publish(body, serializer="json", **({"routing_key": "agents"} | options))


def receive(connection: Connection, queue: Queue = QUEUE) -> list[object]:
    """Return the bodies of all messages, as a consumer gets them."""
    bodies: list[object] = []
    with (
        connection.channel() as channel,
        Consumer(channel, [queue], callbacks=[lambda body, _: bodies.append(body)], no_ack=True),
    ):
        try:
            while True:
                connection.drain_events(timeout=0.05)
        except TimeoutError:
            return bodies


def node(name: str) -> Queue:
    """Return the queue that Celery makes for the control commands of one worker."""
    return Queue(f"{name}.celery.pidbox", exchange=CONTROL, auto_delete=True, durable=False)


def declare(folder: Path, *queues: Queue) -> None:
    """Bind queues, each in a process of its own as far as the broker can tell."""
    for queue in queues:
        with connect(folder) as connection, connection.channel() as channel:
            queue(channel).declare()


def read_queues(folder: Path) -> list[str]:
    rows = json.loads((folder / "control" / "celery.pidbox.exchange").read_text())
    return sorted(queue for _, _, queue in rows)


@pytest.mark.slow
def test_messages_arrive_once_though_writers_and_readers_are_killed(folder: Path) -> None:
    race = run_race(folder, messages=5_000)

    assert race.failed == []
    assert set(race.received.values()) == {1}
    # A reader may die between taking a message and noting it.
    assert len(race.expected - set(race.received)) <= race.killed_readers
    assert list((folder / "broken").iterdir()) == []
    assert list((folder / "queue").glob("*.msg")) == []


def test_two_readers_never_get_the_same_message(folder: Path, connection: Connection) -> None:
    send(connection, *range(20))

    with connect(folder) as other, connection.channel() as first, other.channel() as second:
        taken = [
            message.decode()
            for _ in range(15)
            for channel in (first, second)
            if (message := QUEUE(channel).get(no_ack=True))
        ]

    assert sorted(taken) == list(range(20))


def test_the_oldest_message_comes_first(connection: Connection) -> None:
    send(connection, *range(30))

    assert receive(connection) == list(range(30))


def test_messages_and_bindings_of_kombus_own_transport_are_read(folder: Path) -> None:
    durable = Queue("agents", exchange=Exchange("agents"), routing_key="agents")
    with connect(folder, KOMBU) as before, before.channel() as channel:
        durable(channel).declare()
        send(before, "an old message")

    with connect(folder) as connection:
        send(connection, "a message by its exchange", exchange="agents")
        received = receive(connection)

    assert received == ["an old message", "a message by its exchange"]


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"\xff\xfe\x00",
        b"[]",
        b"null",
        b"{}",
        json.dumps(ENVELOPE).encode()[:60],
        json.dumps(ENVELOPE | {"headers": "none"}).encode(),
        json.dumps(ENVELOPE | {"body": "no base64"}).encode(),
        json.dumps(ENVELOPE | {"body": base64.b64encode(b'{"half').decode()}).encode(),
        json.dumps(ENVELOPE | {"content-type": "application/x-python-serialize"}).encode(),
        b"[" * 100_000,
    ],
    ids=lambda text: repr(text[:20]),
)
def test_what_cannot_be_read_is_set_aside_once_and_the_consumer_goes_on(
    folder: Path, connection: Connection, text: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    (folder / "queue" / "1000_broken.agents.msg").write_bytes(text)
    send(connection, "after it")

    with caplog.at_level(logging.WARNING):
        assert receive(connection) == ["after it"]
        assert receive(connection) == []

    assert (folder / "broken" / "1000_broken.agents.msg").read_bytes() == text
    (record,) = caplog.records
    assert "1000_broken.agents.msg" in record.getMessage()
    assert "\n" not in record.getMessage()


def test_a_folder_in_place_of_a_message_is_set_aside(folder: Path, connection: Connection) -> None:
    (folder / "queue" / "1000_folder.agents.msg").mkdir()
    send(connection, "after it")

    assert receive(connection) == ["after it"]
    assert (folder / "broken" / "1000_folder.agents.msg").is_dir()


def test_a_message_that_ends_every_consumer_is_not_put_back_for_ever(
    folder: Path, connection: Connection
) -> None:
    send(connection, "deadly")
    deliveries = 0

    for _ in range(10):
        with connection.channel() as channel:  # its end puts back what was not answered
            deliveries += QUEUE(channel).get() is not None

    assert 1 < deliveries < 6
    assert len(list((folder / "broken").iterdir())) == 1


def test_deleted_folders_lose_messages_and_nothing_else(
    folder: Path, connection: Connection
) -> None:
    send(connection, "lost")
    for path in sorted(folder.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()

    assert receive(connection) == []
    send(connection, "sent later")
    assert receive(connection) == ["sent later"]


@pytest.mark.parametrize("text", ["", "[[", "{}", "null", '[["only a key"]]', "[1]"])
def test_an_exchange_file_that_cannot_be_read_is_made_anew(folder: Path, text: str) -> None:
    (folder / "control" / "celery.pidbox.exchange").write_text(text)

    declare(folder, node("one"), node("two"))
    with connect(folder) as connection:
        send(connection, "ping", exchange="celery.pidbox", declare=[CONTROL], routing_key="")

        assert receive(connection, node("one")) == ["ping"]
        assert receive(connection, node("two")) == ["ping"]
    assert read_queues(folder) == ["one.celery.pidbox", "two.celery.pidbox"]


def test_the_queues_of_ended_processes_do_not_grow_the_tables(folder: Path) -> None:
    declare(folder, *(node(f"ended-{number}") for number in range(20)))
    an_hour_ago = time.time() - 3600
    for path in (folder / "control").iterdir():
        os.utime(path, (an_hour_ago, an_hour_ago))
    with connect(folder) as connection:
        send(connection, "ping", exchange="celery.pidbox", declare=[CONTROL], routing_key="")

    declare(folder, node("living"))

    assert read_queues(folder) == ["living.celery.pidbox"]
    assert list((folder / "queue").iterdir()) == []


def test_a_queue_that_is_listened_to_stays_in_its_table(folder: Path) -> None:
    declare(folder, node("listening"))
    an_hour_ago = time.time() - 3600
    for path in (folder / "control").iterdir():
        os.utime(path, (an_hour_ago, an_hour_ago))
    with connect(folder) as connection:
        receive(connection, Queue(node("listening").name))

    declare(folder, node("living"))

    assert read_queues(folder) == ["listening.celery.pidbox", "living.celery.pidbox"]


def test_a_deleted_queue_leaves_its_table(connection: Connection, folder: Path) -> None:
    declare(folder, node("other"))
    with connection.channel() as channel:
        bound = node("reply")(channel)
        bound.declare()
        send(connection, "ping", exchange="celery.pidbox", declare=[CONTROL], routing_key="")
        bound.delete()

    assert read_queues(folder) == ["other.celery.pidbox"]
    assert receive(connection, node("other")) == ["ping"]
    assert list((folder / "queue").iterdir()) == []


def test_a_purge_deletes_the_messages_of_one_queue(connection: Connection) -> None:
    send(connection, 1, 2, 3)
    send(connection, 4, routing_key="train")

    with connection.SimpleQueue("agents") as simple:
        assert simple.qsize() == 3
        assert simple.clear() == 3

    assert receive(connection) == []
    assert receive(connection, Queue("train")) == [4]


def test_a_start_removes_what_ended_processes_left_and_keeps_messages(
    folder: Path, connection: Connection
) -> None:
    send(connection, "kept")
    left = (
        "control/agents.exchange",
        "control/.1.part",
        "queue/.1_2.agents.msg.part",
        "queue/1_2.agents-1@host.celery.pidbox.msg",
        "done/1_2.agents.msg",
    )
    for name in left:
        (folder / name).touch()
    (folder / "done" / "a folder").mkdir()

    remove_leftovers(folder)

    assert not [name for name in left if (folder / name).exists()]
    assert receive(connection) == ["kept"]
