"""Which websockets the whole application opens."""

from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator

from studio.asgi import application

_JOB = "/ws/jobs/0190a5c4-0000-7000-8000-000000000000"
_OURS = "http://127.0.0.1:8700"


def open_socket(path: str, *, origin: str) -> ApplicationCommunicator:
    headers = [(b"host", b"127.0.0.1:8700"), (b"origin", origin.encode())]
    scope = {
        "type": "websocket",
        "path": path,
        "query_string": b"",
        "headers": headers,
        "subprotocols": [],
    }
    return ApplicationCommunicator(application, scope)


async def connect(socket: ApplicationCommunicator) -> dict[str, Any]:
    await socket.send_input({"type": "websocket.connect"})
    return dict(await socket.receive_output(timeout=5))


async def test_a_page_from_elsewhere_gets_no_socket() -> None:
    answer = await connect(open_socket(_JOB, origin="http://127.0.0.1:3000"))

    assert answer["type"] == "websocket.close"


async def test_an_unknown_address_is_refused_without_a_crash() -> None:
    answer = await connect(open_socket("/ws/nope", origin=_OURS))

    assert answer["type"] == "websocket.close"


@pytest.mark.django_db(transaction=True)
async def test_a_stranger_on_our_own_page_is_told_to_sign_in() -> None:
    socket = open_socket(_JOB, origin=_OURS)

    opened = await connect(socket)
    closed = await socket.receive_output(timeout=5)

    assert opened["type"] == "websocket.accept"
    assert closed["type"] == "websocket.close"
    assert closed["code"] >= 4000
