"""Websockets of a running studio: who gets one, and what a flood does to it."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from uuid import uuid4

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from tests.security.test_requests import a_tape
from tests.studio.running_studio import RunningStudio, is_green
from tests.waiting import PATIENCE_SECONDS

Open = Callable[..., Any]


@pytest.fixture(scope="module")
def job(owner: httpx.Client) -> str:
    files = [("files", ("tape.json", a_tape("for the sockets")))]
    token = {"X-CSRFToken": owner.cookies["csrftoken"]}
    return str(owner.post("/api/v1/uploads", files=files, headers=token).json()["id"])


@pytest.fixture
def open_socket(studio: RunningStudio, owner: httpx.Client) -> Open:
    cookies = "; ".join(f"{name}={value}" for name, value in owner.cookies.items())

    @contextmanager
    def open_(path: str, **headers: str) -> Iterator[ClientConnection]:
        given = {"Cookie": cookies, "Origin": studio.url, **headers}
        address = studio.url.replace("http", "ws", 1) + path
        sent = {name: value for name, value in given.items() if value}
        with connect(address, additional_headers=sent, open_timeout=PATIENCE_SECONDS) as connection:
            yield connection

    return open_


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "null"},
        {"Origin": ""},
        {"Origin": "http://evil.example", "Cookie": ""},
    ],
)
def test_a_page_of_elsewhere_gets_no_socket(
    open_socket: Open, job: str, headers: dict[str, str]
) -> None:
    with pytest.raises(InvalidStatus, match="403"), open_socket(f"/ws/jobs/{job}", **headers):
        pass


@pytest.mark.parametrize(
    ("path", "headers", "code"),
    [
        ("/ws/jobs/{job}", {"Cookie": ""}, 4401),
        ("/ws/jobs/{job}", {"Cookie": "sessionid=made-up"}, 4401),
        ("/ws/jobs/{unknown}", {}, 4404),
        ("/ws/jobs/{job}?after=-1", {}, 4400),
        ("/ws/jobs/{job}?after=1.5", {}, 4400),
        ("/ws/jobs/{job}?after=NaN", {}, 4400),
        ("/ws/jobs/{job}?after=%00", {}, 4400),
        ("/ws/jobs/{job}?after=%D9%A1", {}, 4400),
        ("/ws/jobs/{job}?after=99999999999999999999999999", {}, 4400),
        ("/ws/jobs/{job}?after=1&after=x", {}, 4400),
        ("/ws/jobs/{job}?after=%3Cscript%3E", {}, 4400),
    ],
)
def test_a_socket_that_may_not_be_is_closed_with_the_reason(
    open_socket: Open, job: str, path: str, headers: dict[str, str], code: int
) -> None:
    address = path.format(job=job, unknown=uuid4())
    with (
        open_socket(address, **headers) as connection,
        pytest.raises(ConnectionClosed) as closed,
    ):
        connection.recv(timeout=PATIENCE_SECONDS)

    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == code


@pytest.mark.parametrize("path", ["/ws/jobs/1", "/ws/jobs/../jobs", "/ws/", "/api/v1/session"])
def test_other_addresses_have_no_socket(open_socket: Open, path: str) -> None:
    with pytest.raises(InvalidStatus), open_socket(path):
        pass


def test_a_flood_of_messages_is_ignored_and_a_huge_one_ends_the_socket(
    studio: RunningStudio, open_socket: Open, job: str
) -> None:
    with open_socket(f"/ws/jobs/{job}") as connection:
        assert json.loads(connection.recv(timeout=PATIENCE_SECONDS))["type"] == "hello"
        for number in range(3000):
            connection.send(json.dumps({"type": "job.state", "state": "failed", "n": number}))
        connection.send(b"\xff" * 1000)
    with open_socket(f"/ws/jobs/{job}") as connection:
        connection.send("x" * 1_000_000)
        with pytest.raises(ConnectionClosed):
            read_to_the_end(connection)

    assert is_green(studio.url)


def test_hundreds_of_sockets_keep_no_page_waiting(
    studio: RunningStudio, open_socket: Open, owner: httpx.Client, job: str
) -> None:
    with ExitStack() as sockets:
        for _ in range(200):
            sockets.enter_context(open_socket(f"/ws/jobs/{job}"))

        assert owner.get("/api/v1/session", timeout=PATIENCE_SECONDS).status_code == 200
    assert is_green(studio.url)


def read_to_the_end(connection: ClientConnection) -> None:
    while True:
        connection.recv(timeout=PATIENCE_SECONDS)
