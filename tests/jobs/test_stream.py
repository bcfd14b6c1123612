"""A browser gets every event of its job once and in order, whenever it comes and goes."""

import asyncio
import json
import os
import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any, ParamSpec, TypeVar
from uuid import uuid4

import pytest
from channels.db import database_sync_to_async
from django.contrib.auth.models import AnonymousUser

from tapes_app.jobs.domain.protocol import JobProgress
from tapes_app.jobs.services import stream
from tapes_app.jobs.store.claims import end_claim
from tapes_app.jobs.store.events import Claim, EventWriter
from tapes_app.jobs.store.job import Job
from tapes_app.jobs.store.log import LoggedEvent, prune_finished_logs
from tapes_app.jobs.store.wake import notify, wake_folder
from tapes_app.models import MembershipRecord, ProjectRecord
from tapes_app.projects.services.members import remove_member
from tapes_app.projects.services.people import identify
from tests.jobs.builders import store_claimed_job, store_person, store_project
from tests.jobs.slow_listeners import SlowClosing
from tests.jobs.sockets import Socket
from tests.waiting import PATIENCE_SECONDS

pytestmark = pytest.mark.django_db(transaction=True)

P = ParamSpec("P")
T = TypeVar("T")


async def in_thread(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    return await database_sync_to_async(function)(*args, **kwargs)


def write_progress(job: Job, *numbers: int) -> None:
    writer = EventWriter()
    for number in numbers:
        writer.emit(Claim(job.id, job.attempt), JobProgress(done=number))
    writer.close()


def store_job_and_person(project_name: str = "") -> tuple[Job, Any]:
    project = store_project(project_name)
    return store_claimed_job(project=project), store_person(project)


def remove(person: Any, project: ProjectRecord) -> None:
    """Take a person out of a project as its owner does."""
    owner = store_person(project)
    MembershipRecord.objects.filter(user=owner).update(role="owner")
    remove_member(identify(owner, str(project.id)), person.pk)


async def read_event(socket: Socket) -> dict[str, Any]:
    """Return the next event, after the pings that come before."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            message = await socket.receive_output(PATIENCE_SECONDS)
            frame: dict[str, Any] = json.loads(message["text"])
            if frame["type"] != "ping":
                return frame


async def read_event_by_polling(socket: Socket) -> dict[str, Any]:
    """Return the next event, which no hint announces, while the logs are polled repeatedly."""
    reading = asyncio.create_task(read_event(socket))
    while not reading.done():
        await in_thread(notify, "people")  # the hub looks at its watchers, and polls
        await asyncio.wait({reading}, timeout=0.02)
    return reading.result()


async def read_to_the_end(socket: Socket) -> int:
    """Return the code with which a socket closes, after the pings that come before."""
    while (message := await socket.receive_output(10))["type"] != "websocket.close":
        assert json.loads(message["text"])["type"] == "ping"
    return int(message["code"])


async def expect_close(socket: Socket, code: int) -> None:
    await socket.connect()
    assert await socket.read_close_code() == code


async def test_what_was_missed_and_what_comes_arrive_in_one_order() -> None:
    job, person = await in_thread(store_job_and_person)
    await in_thread(write_progress, job, 1, 2, 3)
    socket = Socket(job.id, person, "?after=2")

    await socket.connect()
    (hello,) = await socket.read(1)
    caught_up = await socket.read(3)
    await in_thread(write_progress, job, 4, 5)
    live = await socket.read(2)
    await socket.disconnect()

    assert (hello["type"], hello["last_seq"], hello["state"]) == ("hello", 5, "running")
    assert [frame["seq"] for frame in [*caught_up, *live]] == [3, 4, 5, 6, 7]
    assert [frame["done"] for frame in [*caught_up, *live]] == [1, 2, 3, 4, 5]


async def test_a_wake_hint_brings_events_without_waiting_for_the_poll(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(stream, "POLL_SECONDS", 3600)
    job, person = await in_thread(store_job_and_person)
    socket = Socket(job.id, person, "?after=2")
    await socket.connect()
    await socket.read(1)

    await in_thread(write_progress, job, 0)
    first = asyncio.create_task(socket.read(1))
    while not first.done():  # a server may need a moment to know its listeners
        await asyncio.wait({first}, timeout=0.2)
        await in_thread(notify, "events")
    assert [frame["done"] for frame in first.result()] == [0]
    for number in range(1, 5):
        await in_thread(write_progress, job, number)
        (frame,) = await socket.read(1)
        assert frame["done"] == number

    await socket.disconnect()


async def test_events_arrive_by_polling_when_every_hint_is_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(stream, "POLL_SECONDS", 0.02)
    job, person = await in_thread(store_job_and_person)
    socket = Socket(job.id, person, "?after=2")
    await socket.connect()
    await socket.read(1)

    monkeypatch.setattr("tapes_app.jobs.store.events.notify", lambda _: None)
    await in_thread(write_progress, job, 9)
    (frame,) = await socket.read(1)
    await socket.disconnect()

    assert frame["done"] == 9


async def test_a_stream_opened_while_the_last_one_closes_is_served(
    hints: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    closing = SlowClosing(monkeypatch)
    job, person = await in_thread(store_job_and_person)
    first, second = Socket(job.id, person, "?after=2"), Socket(job.id, person, "?after=2")
    await first.connect()
    await first.read(1)
    await first.disconnect()
    async with asyncio.timeout(PATIENCE_SECONDS):
        await closing.has_begun.wait()

    await second.connect()
    hello = await read_event(second)
    await in_thread(write_progress, job, 1)
    meanwhile = await read_event(second)
    closing.may_end.set()
    async with asyncio.timeout(PATIENCE_SECONDS):
        await closing.has_ended.wait()
    await in_thread(write_progress, job, 2)
    afterwards = await read_event(second)
    await second.disconnect()

    assert hello["type"] == "hello"
    assert [(frame["seq"], frame["done"]) for frame in (meanwhile, afterwards)] == [(3, 1), (4, 2)]


async def test_a_hub_that_is_cancelled_while_it_closes_leaves_no_listener_behind() -> None:
    job, _ = await in_thread(store_job_and_person)
    hub = stream.get_hub()
    subscription = hub.subscribe(job.id, after=2)
    await subscription.next_frames()
    (task,) = [one for one in asyncio.all_tasks() if one.get_name() == "hub"]

    while not task.done():  # at every point where it waits, as a loop that ends may
        task.cancel()
        await asyncio.sleep(0)

    assert not list(wake_folder().glob(f"*-{os.getpid()}-*"))
    for thread in [one for one in threading.enumerate() if one.name == "wake"]:
        await asyncio.to_thread(thread.join, PATIENCE_SECONDS)
        assert not thread.is_alive()


async def test_a_stream_opened_after_another_was_closed_does_not_depend_on_hints(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(stream, "POLL_SECONDS", 3600)
    monkeypatch.setattr("tapes_app.jobs.store.events.notify", lambda _: None)
    job, person = await in_thread(store_job_and_person)
    first, second = Socket(job.id, person, "?after=2"), Socket(job.id, person, "?after=2")
    await first.connect()
    await read_event(first)
    await in_thread(write_progress, job, 1)
    await read_event_by_polling(first)
    await first.disconnect()

    await second.connect()
    await read_event(second)
    missed = await read_event(second)
    await in_thread(write_progress, job, 2)
    new = await read_event_by_polling(second)
    await second.disconnect()

    assert [frame["done"] for frame in (missed, new)] == [1, 2]


async def test_who_is_removed_hears_nothing_more_and_the_others_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(stream, "LEFT_SECONDS", 3600)  # only the hint tells it
    job, person = await in_thread(store_job_and_person)
    project = await in_thread(lambda: ProjectRecord.objects.get(id=job.project_id))
    other = await in_thread(store_person, project)
    mine, theirs = Socket(job.id, person, "?after=2"), Socket(job.id, other, "?after=2")
    for socket in (mine, theirs):
        await socket.connect()
        await socket.read(1)

    await in_thread(remove, person, project)
    closed = await read_to_the_end(mine)
    await in_thread(write_progress, job, 7)
    frames = await theirs.read(1)
    while frames[-1]["type"] == "ping":
        frames = await theirs.read(1)
    await theirs.disconnect()

    assert closed == 4403
    assert frames[-1]["done"] == 7


async def test_a_socket_ends_though_the_hint_of_a_removal_is_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(stream, "LEFT_SECONDS", 0.02)
    job, person = await in_thread(store_job_and_person)
    socket = Socket(job.id, person, "?after=2")
    await socket.connect()
    await socket.read(1)

    await in_thread(MembershipRecord.objects.filter(user=person).delete)

    assert await read_to_the_end(socket) == 4403


async def test_browsers_at_different_places_of_one_log_each_get_theirs() -> None:
    job, person = await in_thread(store_job_and_person)
    await in_thread(write_progress, job, *range(10))
    sockets = [Socket(job.id, person, f"?after={after}") for after in (0, 6, 12)]

    for socket in sockets:
        await socket.connect()
        await socket.read(1)
    await in_thread(write_progress, job, 99)
    seen = [await socket.read(count) for socket, count in zip(sockets, (13, 7, 1), strict=True)]
    for socket in sockets:
        await socket.disconnect()

    assert [[frame["seq"] for frame in frames] for frames in seen] == [
        list(range(1, 14)),
        list(range(7, 14)),
        [13],
    ]


async def test_nobody_listens_to_a_job_of_another_project() -> None:
    job, _ = await in_thread(store_job_and_person)
    _, stranger = await in_thread(store_job_and_person)

    await expect_close(Socket(job.id, stranger), 4404)
    await expect_close(Socket(uuid4(), stranger), 4404)


async def test_nobody_listens_without_signing_in() -> None:
    job, _ = await in_thread(store_job_and_person)

    await expect_close(Socket(job.id, AnonymousUser()), 4401)


@pytest.mark.parametrize("after", ["-1", "x", "1e3", "9" * 40, "\u0662"])
async def test_a_number_that_is_none_is_refused(after: str) -> None:
    job, person = await in_thread(store_job_and_person)

    await expect_close(Socket(job.id, person, f"?after={after}"), 4400)


async def test_a_number_from_the_future_waits_for_nothing_old() -> None:
    job, person = await in_thread(store_job_and_person)
    socket = Socket(job.id, person, "?after=1000")
    await socket.connect()
    await socket.read(1)

    await in_thread(write_progress, job, 5)
    (frame,) = await socket.read(1)
    await socket.disconnect()

    assert frame["seq"] == 3


async def test_a_browser_that_takes_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "STALLED_SECONDS", -1.0)
    stuck, quick = stream.Subscription(uuid4(), 0), stream.Subscription(uuid4(), 0)
    for subscription in (stuck, quick):
        subscription.push(LoggedEvent(subscription.job_id, 1, "{}"))
    await quick.next_frames()

    stuck.tend()
    quick.tend()

    with pytest.raises(stream.TooSlowError):
        await stuck.next_frames()
    assert not quick.is_stalled


async def test_a_silent_connection_is_pinged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "PING_SECONDS", -1.0)
    subscription = stream.Subscription(uuid4(), 0)

    subscription.tend()

    assert [json.loads(frame) for frame in await subscription.next_frames()] == [{"type": "ping"}]


async def test_a_full_backlog_is_filled_up_again_when_there_is_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(stream, "MAX_BACKLOG_EVENTS", 5)
    monkeypatch.setattr(stream, "_EVENTS_PER_QUERY", 4)
    job, _ = await in_thread(store_job_and_person)
    await in_thread(write_progress, job, *range(40))
    hub = stream.get_hub()
    subscription = hub.subscribe(job.id, after=2)

    seqs: list[int] = []
    while len(seqs) < 40:
        frames = await subscription.next_frames()
        assert len(frames) < 10
        seqs += [json.loads(frame)["seq"] for frame in frames]
    hub.unsubscribe(subscription)

    assert seqs == list(range(3, 43))


async def test_a_late_browser_gets_the_end_of_a_pruned_log() -> None:
    job, person = await in_thread(store_job_and_person)
    await in_thread(write_progress, job, 1, 2, 3)
    await in_thread(end_and_prune, job)
    socket = Socket(job.id, person, "?after=2")

    await socket.connect()
    hello, last = await socket.read(2)
    await socket.disconnect()

    assert (hello["state"], hello["last_seq"], hello["pruned_seq"]) == ("succeeded", 6, 5)
    assert (last["seq"], last["type"], last["state"]) == (6, "job.state", "succeeded")


def end_and_prune(job: Job) -> None:
    writer = EventWriter()
    writer.commit(Claim(job.id, job.attempt), lambda: end_claim(job.id, "succeeded")).result()
    writer.close()
    assert prune_finished_logs(older_than=timedelta(seconds=-1)) == 5
