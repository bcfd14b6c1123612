"""A script follows a job by server-sent events: all of them, in order, until it is over."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any, cast
from uuid import UUID

import pytest
from channels.db import database_sync_to_async
from django.contrib.auth.models import User
from django.http import StreamingHttpResponse
from django.test import AsyncClient, Client
from django.utils import timezone

from tapes_app.jobs.domain.protocol import JobProgress
from tapes_app.jobs.services import stream
from tapes_app.jobs.store.claims import end_claim
from tapes_app.jobs.store.events import Claim, EventWriter
from tapes_app.jobs.store.job import Job
from tapes_app.jobs.store.log import prune_some_old_logs
from tapes_app.models import MembershipRecord, ProjectRecord
from tests.http.asking import call
from tests.jobs.builders import store_claimed_job, store_person, store_project
from tests.jobs.slow_listeners import SlowClosing
from tests.waiting import PATIENCE_SECONDS

pytestmark = pytest.mark.django_db(transaction=True)


def a_running_job() -> tuple[Job, str]:
    """Return a job that was claimed, and a token that may read it."""
    project = store_project()
    return store_claimed_job(project=project), token_of(store_person(project), project)


def token_of(person: User, project: ProjectRecord) -> str:
    browser = Client()
    browser.force_login(person)
    made = call(browser, "POST", f"tokens?project={project.id}", {"name": "script"}, 201)
    return str(made["token"])


def tell(job: Job, *numbers: int) -> None:
    writer = EventWriter()
    for number in numbers:
        writer.emit(Claim(job.id, job.attempt), JobProgress(done=number))
    writer.close()


def end(job: Job) -> None:
    writer = EventWriter()
    writer.commit(Claim(job.id, job.attempt), lambda: end_claim(job.id, "succeeded")).result()
    writer.close()


async def open_stream(job: UUID, token: str, query: str = "", **headers: str) -> Any:
    said = {"Authorization": f"Bearer {token}", **headers}
    return await AsyncClient().get(f"/api/v1/jobs/{job}/stream{query}", headers=said)


def read(answer: Any) -> AsyncIterator[dict[str, str]]:
    assert isinstance(answer, StreamingHttpResponse)
    return _events(cast("AsyncIterator[bytes]", answer.streaming_content))


async def _events(pieces: AsyncIterator[bytes]) -> AsyncIterator[dict[str, str]]:
    async for piece in pieces:
        lines = piece.decode().removesuffix("\n\n").split("\n")
        yield dict(line.split(": ", 1) for line in lines)


in_thread = database_sync_to_async


async def test_what_was_missed_and_what_comes_until_it_is_over() -> None:
    job, token = await in_thread(a_running_job)()
    await in_thread(tell)(job, 1, 2)
    answer = await open_stream(job.id, token, "?after=2")
    events = read(answer)

    first = await asyncio.wait_for(anext(events), 10)
    await in_thread(end)(job)
    rest = [event async for event in events]

    assert answer.headers["Content-Type"] == "text/event-stream"
    assert (first["id"], first["event"]) == ("3", "job.progress")
    assert '"done":1' in first["data"]
    assert [event["id"] for event in rest] == ["4", "5"]
    assert rest[-1]["event"] == "job.state"


async def test_a_stream_opened_while_the_last_one_closes_is_served(
    hints: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    closing = SlowClosing(monkeypatch)
    (old, its_token), (new, token) = [await in_thread(a_running_job)() for _ in range(2)]
    await in_thread(tell)(old, 1)
    before = read(await open_stream(old.id, its_token, "?after=2"))
    await asyncio.wait_for(anext(before), PATIENCE_SECONDS)
    await in_thread(end)(old)
    assert [event["id"] async for event in before] == ["4"]
    await asyncio.wait_for(closing.has_begun.wait(), PATIENCE_SECONDS)

    events = read(await open_stream(new.id, token, "?after=2"))
    await in_thread(tell)(new, 1)
    meanwhile = await asyncio.wait_for(anext(events), PATIENCE_SECONDS)
    closing.may_end.set()
    await asyncio.wait_for(closing.has_ended.wait(), PATIENCE_SECONDS)
    await in_thread(tell)(new, 2)
    await in_thread(end)(new)
    afterwards = [event async for event in events]

    assert '"done":1' in meanwhile["data"]
    assert '"done":2' in afterwards[0]["data"]
    assert [event["id"] for event in (meanwhile, *afterwards)] == ["3", "4", "5"]


async def test_it_goes_on_after_the_last_event_that_came() -> None:
    job, token = await in_thread(a_running_job)()
    await in_thread(tell)(job, 1, 2, 3)
    await in_thread(end)(job)

    answer = await open_stream(job.id, token, **{"Last-Event-ID": "4"})

    assert [event["id"] async for event in read(answer)] == ["5", "6"]


async def test_of_a_job_that_is_over_and_was_read_nothing_comes() -> None:
    job, token = await in_thread(a_running_job)()
    await in_thread(end)(job)

    answer = await open_stream(job.id, token, "?after=999")

    assert [event async for event in read(answer)] == []


async def test_of_a_log_that_was_pruned_to_its_end_nothing_comes() -> None:
    job, token = await in_thread(a_running_job)()
    await in_thread(end)(job)
    await in_thread(prune_some_old_logs)(timezone.now())

    answer = await open_stream(job.id, token)

    assert [event async for event in read(answer)] == []


async def test_jobs_of_others_do_not_exist() -> None:
    job, _ = await in_thread(a_running_job)()
    _, token = await in_thread(a_running_job)()

    assert (await open_stream(job.id, token)).status_code == 404


@pytest.mark.parametrize("number", ["x", "-1", "²", "9" * 30])
async def test_a_mistaken_number_is_refused(number: str) -> None:
    job, token = await in_thread(a_running_job)()

    assert (await open_stream(job.id, token, f"?after={number}")).status_code == 422


async def test_it_ends_for_who_is_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "LEFT_SECONDS", 0.02)
    job, token = await in_thread(a_running_job)()
    answer = await open_stream(job.id, token, "?after=0")
    events = read(answer)
    await asyncio.wait_for(anext(events), 10)

    await in_thread(MembershipRecord.objects.filter(project_id=job.project_id).delete)()
    rest = [event async for event in events]

    assert "succeeded" not in str(rest)
