"""Who watches a job hears over the websocket what people want of it and what it wants of them."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar
from uuid import UUID

import pytest
from channels.db import database_sync_to_async

from tapes_app.jobs.domain.control import Breakpoint, SteerMessage
from tapes_app.jobs.domain.protocol import LONGEST_STREAMED_MESSAGE, LONGEST_STREAMED_RESULT
from tapes_app.jobs.store import claims, commands
from tapes_app.models import JobRecord
from tapes_app.runs.services.replies import GivenAnswer, reply_to_tape
from tests.jobs.builders import (
    read_log,
    read_row,
    store_claimed_job,
    store_person,
    store_project,
)
from tests.jobs.sockets import Socket
from tests.runs.browsers import RunBrowser, work
from tests.runs.plugin import build_talker
from tests.runs.sessions import start_session
from tests.runs.tool_plugin import build_tool_agent

pytestmark = pytest.mark.django_db(transaction=True)

T = TypeVar("T")


async def in_thread(do: Callable[[], T]) -> T:
    return await database_sync_to_async(do)()


def frames_of(job_id: UUID, *types: str) -> list[dict[str, Any]]:
    frames = [json.loads(event.payload) for event in read_log(job_id)]
    return [frame for frame in frames if frame["type"] in types]


async def test_every_order_reaches_the_watchers_as_the_wishes_that_it_leaves() -> None:
    project = await in_thread(store_project)
    person = await in_thread(lambda: store_person(project))
    job = await in_thread(lambda: store_claimed_job(project=project))
    socket = Socket(job.id, person, "?after=2")
    await socket.connect()
    await socket.read(1)
    at = (project.id, job.id)
    tool = Breakpoint(kind="tool", value="look")
    orders: list[Callable[[], object]] = [
        lambda: commands.request_pause(*at, person="Ada"),
        lambda: commands.continue_job(*at, is_stepping=True),
        lambda: commands.set_breakpoints(*at, [tool]),
        lambda: commands.add_message(*at, SteerMessage(id="m", text="look again", by="Ada")),
        lambda: commands.request_cancel(*at, person="Bob"),
    ]

    frames = []
    for order in orders:
        await in_thread(order)
        frames += await socket.read(1)
    await socket.disconnect()

    controls = [frame["control"] for frame in frames]
    assert [frame["type"] for frame in frames] == ["job.control"] * 5
    assert [control["pause_asked_by"] for control in controls] == ["Ada", "", "", "", ""]
    assert [control["is_stepping"] for control in controls] == [False, True, True, True, True]
    assert controls[2]["breakpoints"] == [{"kind": "tool", "value": "look"}]
    assert [message["text"] for message in controls[3]["messages"]] == ["look again"]
    assert [frame["is_cancel_requested"] for frame in frames] == [False] * 4 + [True]
    assert frames[4]["cancelled_by"] == "Bob"


async def test_who_comes_back_hears_of_what_was_ordered_meanwhile() -> None:
    project = await in_thread(store_project)
    person = await in_thread(lambda: store_person(project))
    job = await in_thread(lambda: store_claimed_job(project=project))

    await in_thread(lambda: commands.request_pause(project.id, job.id, person="Ada"))
    socket = Socket(job.id, person, "?after=2")
    await socket.connect()
    hello, told = await socket.read(2)
    await socket.disconnect()

    assert hello["last_seq"] == told["seq"] == 3
    assert told["control"]["pause_asked_by"] == "Ada"


def test_an_order_that_changes_nothing_is_not_told() -> None:
    project = store_project()
    job = store_claimed_job(project=project)

    commands.continue_job(project.id, job.id, is_stepping=False)

    assert frames_of(job.id, "job.control") == []


def test_a_long_message_is_cut_in_the_frame_and_whole_in_the_job() -> None:
    project = store_project()
    job = store_claimed_job(project=project)
    message = SteerMessage(id="m", text="x" * (LONGEST_STREAMED_MESSAGE + 1))

    answered = commands.add_message(project.id, job.id, message)

    (told,) = frames_of(job.id, "job.control")
    assert len(told["control"]["messages"][0]["text"]) == LONGEST_STREAMED_MESSAGE
    assert answered.control.messages == (message,)


def test_what_a_worker_grants_is_told_with_the_step_or_state_that_it_belongs_to() -> None:
    browser = RunBrowser("3")
    browser.run(breakpoints=[{"kind": "kind", "value": "test_count_action"}])
    browser.order("steer", {"text": "look again"})
    browser.order("breakpoints", {"breakpoints": []})
    browser.go_on("continue", {"mode": "step"})
    browser.go_on("continue", {"mode": "step"})

    frames = frames_of(UUID(browser.job_id), "job.control", "job.state", "step.added")

    kinds = [frame.get("step", {}).get("kind") for frame in frames]
    heard = frames[kinds.index("user") + 1]
    assert heard["type"] == "job.control"
    assert heard["control"]["messages"] == []
    settled, paused = frames[-2:]
    assert (settled["type"], settled["control"]["is_stepping"]) == ("job.control", False)
    assert (paused["type"], paused["state"]) == ("job.state", "paused")


def test_a_leave_is_told_when_it_is_given_and_when_it_is_used() -> None:
    browser = RunBrowser('["send"]', spec=build_tool_agent())
    browser.run()

    browser.go_on("reply", {"approve": True})

    told = frames_of(UUID(browser.job_id), "job.control")
    given, used = [frame["control"]["approvals"] for frame in told]
    assert (len(given), used) == (1, [])


def test_what_a_run_waits_for_is_in_the_frame_that_says_that_it_waits() -> None:
    browser = RunBrowser(json.dumps({"form": "Which one?"}), spec=build_tool_agent())

    job = browser.run()

    state = frames_of(UUID(browser.job_id), "job.state")[-1]
    assert (state["state"], state["result"]) == ("waiting", job["run"])
    assert set(state["result"]["asks"]["data_schema"]["properties"]) == {"color", "count"}


def test_a_result_that_is_too_long_for_a_frame_is_in_the_job_alone() -> None:
    job = store_claimed_job()
    result = {"refused": ["x" * LONGEST_STREAMED_RESULT]}

    (told,) = claims.end_claim(job.id, "succeeded", result=result)

    assert told.model_dump()["result"] is None
    assert read_row(job.id).result == result


def test_a_final_state_is_the_last_word() -> None:
    project = store_project()
    job = store_claimed_job(project=project)
    commands.request_pause(project.id, job.id, person="Ada")

    told = claims.end_claim(job.id, "succeeded")

    assert [event.model_dump()["type"] for event in told] == ["job.control", "job.state"]


def test_a_job_that_is_queued_again_is_no_longer_to_be_stopped() -> None:
    project = store_project()
    job = store_claimed_job(project=project)
    commands.request_cancel(project.id, job.id, person="Ada")
    claims.end_claim(job.id, "cancelled")

    commands.requeue_job(project.id, job.id)

    told = frames_of(job.id, "job.control")
    assert [frame["is_cancel_requested"] for frame in told] == [True, False]


def test_a_run_counts_from_where_it_was_begun_also_after_a_lost_worker() -> None:
    session = start_session("hello", spec=build_talker())
    work()
    reply_to_tape(session.person, session.tape_id, GivenAnswer(text="so"))
    work()
    # As if a worker had begun an hour ago and vanished without a word.
    hour_ago = datetime.now(UTC) - timedelta(hours=1)
    row = read_row(session.job.id)
    lost = {**row.checkpoint, "began_at": hour_ago.isoformat(), "seconds_before": 5.0}
    JobRecord.objects.filter(id=session.job.id).update(checkpoint=lost)
    reply_to_tape(session.person, session.tape_id, GivenAnswer(text="bye"))
    work()

    first, second, third = frames_of(session.job.id, "run.started")
    assert first["seconds_before"] == 0
    assert 0 < second["seconds_before"] < 60
    assert second["began_at"] > first["began_at"]
    assert datetime.fromisoformat(third["began_at"]) == hour_ago
    assert third["seconds_before"] == 5.0
    assert read_row(session.job.id).checkpoint["began_at"] is None


async def test_the_greeting_tells_the_time_of_the_server() -> None:
    project = await in_thread(store_project)
    person = await in_thread(lambda: store_person(project))
    job = await in_thread(lambda: store_claimed_job(project=project))
    socket = Socket(job.id, person, "?after=2")

    before = datetime.now(UTC)
    await socket.connect()
    (hello,) = await socket.read(1)
    await socket.disconnect()

    assert before <= datetime.fromisoformat(hello["sent_at"]) <= datetime.now(UTC)
