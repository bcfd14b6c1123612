"""The client: asked again, gone on with, told what went wrong, and in step with the API."""

import dataclasses
import subprocess
import sys
from typing import Any

import pytest
from tape_studio_client import AsyncStudio, Retries, Studio, values
from tape_studio_client.errors import (
    ConflictError,
    JobFailedError,
    NotAllowedError,
    NotFoundError,
    StudioError,
    UnreachableError,
)

from tests.client.conftest import CLIENT
from tests.client.flaky_server import Answer, serving
from tests.http.routes import describe_api
from tests.studio.running_studio import find_free_port

SOON = Retries(times=3, first_seconds=0.001, longest_seconds=0.002)
SESSION = {"user": "ada", "project": "p", "project_id": "1", "role": "owner", "version": "1"}
JOB = {name.name: None for name in dataclasses.fields(values.JobOut)}
AWAY = Answer(503, {"code": "database_unavailable", "message": "Away.", "details": {}})


def job_that_is(state: str, last_seq: int, **said: Any) -> Answer:
    return Answer(body={**JOB, "id": "j", "state": state, "last_seq": last_seq, **said})


def event(seq: int) -> dict[str, Any]:
    return {"seq": seq, "type": "step.added"}


def test_what_changes_nothing_is_asked_again_while_the_studio_is_away() -> None:
    answers = (AWAY, Answer(502, "proxy"), Answer(body={**SESSION, "new": 1}))

    with serving(*answers) as server, Studio(server.url, "t", retries=SOON) as studio:
        session = studio.session()

    assert session.user == "ada"
    assert server.asked == ["GET /session"] * 3


def test_what_changes_something_is_asked_once() -> None:
    with (
        serving(AWAY) as server,
        Studio(server.url, "t", retries=SOON) as studio,
        pytest.raises(StudioError) as caught,
    ):
        studio.edit("t", [])

    assert (caught.value.code, caught.value.status) == ("database_unavailable", 503)
    assert server.asked == ["PUT /tapes/t/draft"]


def test_no_studio_at_all_is_said() -> None:
    url = f"http://127.0.0.1:{find_free_port()}"

    with Studio(url, "t", retries=SOON) as studio, pytest.raises(UnreachableError, match=url):
        studio.session()


@pytest.mark.parametrize(
    ("status", "kind"),
    [(401, NotAllowedError), (403, NotAllowedError), (404, NotFoundError), (409, ConflictError)],
)
def test_a_no_is_an_error_with_its_code(status: int, kind: type[StudioError]) -> None:
    said = {"code": "why", "message": "A sentence.", "details": {"id": "1"}}

    with (
        serving(Answer(status, said)) as server,
        Studio(server.url, "t") as studio,
        pytest.raises(kind) as caught,
    ):
        studio.load_tape("1")

    error = caught.value
    assert (error.code, error.message, error.details) == ("why", "A sentence.", {"id": "1"})


def test_a_stream_that_breaks_goes_on_after_its_last_event() -> None:
    with (
        serving(
            Answer(events=[event(1), event(2)], breaks=True),
            AWAY,
            Answer(events=[event(3)]),
            job_that_is("running", 3),
            Answer(events=[event(4)]),
            job_that_is("succeeded", 4),
        ) as server,
        Studio(server.url, "t", retries=SOON) as studio,
    ):
        seen = [one.seq for one in studio.job("j").events()]

    assert seen == [1, 2, 3, 4]
    streams = [path for path in server.asked if "stream" in path]
    assert [path.partition("after=")[2][0] for path in streams] == ["0", "2", "2", "3"]


async def test_what_is_awaited_does_the_same() -> None:
    with serving(
        Answer(events=[event(1)], breaks=True),
        Answer(events=[event(2)]),
        job_that_is("waiting", 2),
    ) as server:
        async with AsyncStudio(server.url, "t", retries=SOON) as studio:
            seen = [one.seq async for one in studio.job("j").events(until="rest")]

    assert seen == [1, 2]


def test_a_job_that_fails_while_it_is_waited_for_says_why() -> None:
    failed = job_that_is("failed", 1, message="The model said no.", error_code="model")

    with (
        serving(Answer(events=[event(1)]), failed, failed) as server,
        Studio(server.url, "t") as studio,
        pytest.raises(JobFailedError) as caught,
    ):
        studio.job("j").wait()

    assert (caught.value.code, caught.value.message) == ("model", "The model said no.")


def test_its_answers_are_those_of_the_api() -> None:
    described = describe_api()["components"]["schemas"]
    own = {"Event"}
    kinds = [kind for kind in vars(values).values() if dataclasses.is_dataclass(kind)]

    assert len(kinds) > 5
    for kind in kinds:
        assert isinstance(kind, type)
        if kind.__name__ not in own:
            fields = {field.name for field in dataclasses.fields(kind)}
            assert fields <= set(described[kind.__name__]["required"]), kind.__name__


def test_the_client_that_blocks_is_the_one_that_is_awaited() -> None:
    checked = subprocess.run(
        [sys.executable, "unasync.py", "--check"],
        cwd=CLIENT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert checked.returncode == 0, checked.stderr
