"""Which websockets the complete application opens."""

import json
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from channels.db import database_sync_to_async
from django.test import Client

from studio.asgi import application
from tapes_app.jobs.domain.protocol import CLOSE_NOT_FOUND
from tapes_app.jobs.store.job import Job
from tests.http.asking import call
from tests.jobs.builders import store_job, store_person, store_project
from tests.waiting import PATIENCE_SECONDS

_JOB = "/ws/jobs/0190a5c4-0000-7000-8000-000000000000"
_OURS = "http://127.0.0.1:8700"


def open_socket(path: str, **headers: str) -> ApplicationCommunicator:
    said = [(name.encode(), value.encode()) for name, value in headers.items()]
    scope = {
        "type": "websocket",
        "path": path,
        "query_string": b"",
        "headers": [(b"host", b"127.0.0.1:8700"), *said],
        "subprotocols": [],
    }
    return ApplicationCommunicator(application, scope)


async def connect(socket: ApplicationCommunicator) -> dict[str, Any]:
    await socket.send_input({"type": "websocket.connect"})
    return dict(await socket.receive_output(timeout=PATIENCE_SECONDS))


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
    closed = await socket.receive_output(timeout=PATIENCE_SECONDS)

    assert opened["type"] == "websocket.accept"
    assert closed["type"] == "websocket.close"
    assert closed["code"] >= 4000


def store_job_of_a_script() -> tuple[Job, str]:
    project = store_project()
    browser = Client()
    browser.force_login(store_person(project))
    made = call(browser, "POST", f"tokens?project={project.id}", {"name": "script"}, 201)
    return store_job(project=project), f"Bearer {made['token']}"


@pytest.mark.django_db(transaction=True)
async def test_a_script_with_a_token_needs_no_page() -> None:
    job, authorization = await database_sync_to_async(store_job_of_a_script)()
    socket = open_socket(f"/ws/jobs/{job.id}", authorization=authorization)

    await connect(socket)
    hello = json.loads((await socket.receive_output(timeout=PATIENCE_SECONDS))["text"])
    await socket.send_input({"type": "websocket.disconnect", "code": 1000})
    await socket.wait()

    assert (hello["type"], hello["job_id"]) == ("hello", str(job.id))


@pytest.mark.django_db(transaction=True)
async def test_a_token_opens_no_job_of_another_project() -> None:
    _, authorization = await database_sync_to_async(store_job_of_a_script)()
    other, _ = await database_sync_to_async(store_job_of_a_script)()
    socket = open_socket(f"/ws/jobs/{other.id}", authorization=authorization)

    await connect(socket)

    assert (await socket.receive_output(timeout=PATIENCE_SECONDS))["code"] == CLOSE_NOT_FOUND


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("origin", "answer"),
    [("http://127.0.0.1:3000", "websocket.close"), (_OURS, "websocket.accept")],
)
async def test_a_token_does_not_help_a_page_from_elsewhere(origin: str, answer: str) -> None:
    socket = open_socket(_JOB, origin=origin, authorization="Bearer tst_unknown")

    assert (await connect(socket))["type"] == answer
