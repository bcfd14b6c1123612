"""Keys of models are used, and are found nowhere afterwards."""

import base64
import io
import json
import sqlite3
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.llms.openai_server import Behaviour, OpenAIServer
from tests.security.keys import (
    KEY_IN_THE_ENVIRONMENT,
    KEY_IN_THE_STORE,
    KEY_REFUSED,
    KEY_VARIABLE,
    KEYS,
)
from tests.studio.running_studio import RunningStudio
from tests.waiting import wait_until

ENDED = {"succeeded", "failed", "cancelled", "waiting"}
TABLES = [
    "project", "membership", "tape", "step", "batch", "draft", "agent", "agentversion", "model",
    "llmcall", "promptnode", "content", "job", "jobevent",
]  # fmt: skip


@pytest.fixture(scope="module")
def endpoint() -> Iterator[OpenAIServer]:
    with OpenAIServer() as server:
        yield server


@pytest.fixture(scope="module")
def jobs(owner: httpx.Client, endpoint: OpenAIServer) -> list[Any]:
    """Run an agent on models with planted keys: it goes well, and fails in every way."""
    stored = add_model(owner, endpoint, "stored", api_key=KEY_IN_THE_STORE)
    named = add_model(owner, endpoint, "named", api_key_env=KEY_VARIABLE)
    ended = []
    for model, key in ((stored, KEY_IN_THE_STORE), (named, KEY_IN_THE_ENVIRONMENT)):
        telling = f"Incorrect API key provided: {key}. Sent: Authorization: Bearer {key}"
        failures = [
            Behaviour(status=401, error=telling),
            Behaviour(
                status=400, error=json.dumps({"headers": {"authorization": f"Bearer {key}"}})
            ),
            Behaviour(raw_lines=(f'data: {{"error": {{"message": "{telling}"}}}}', "")),
            Behaviour(raw_lines=(f"data: not JSON, {telling}", "")),
        ]
        for behaviour in (Behaviour(text="All is well."), *failures):
            endpoint.default = behaviour
            ended.append(run_agent(owner, model))
            write(owner, "POST", f"/api/v1/models/{model}/test")
        endpoint.default = None
    refused = {"name": "refused", "api_key": KEY_REFUSED}
    for body in ({**refused, "base_url": 7}, {**refused, "unknown": KEY_REFUSED}, [KEY_REFUSED]):
        assert write(owner, "POST", "/api/v1/models", body).status_code == 422
    return ended


def test_the_keys_were_really_used(jobs: list[Any], endpoint: OpenAIServer) -> None:
    assert {f"Bearer {KEY_IN_THE_STORE}", f"Bearer {KEY_IN_THE_ENVIRONMENT}"} <= set(endpoint.keys)
    assert [job["state"] for job in jobs].count("failed") >= 6
    assert any("[redacted]" in job["message"] for job in jobs)


def test_no_key_is_in_the_data_folder_or_in_the_log(studio: RunningStudio, jobs: list[Any]) -> None:
    files = [path for path in studio.data_dir.rglob("*") if path.is_file()]

    assert files
    for path in files:
        assert_no_key(path.read_bytes(), path)
    for path in studio.data_dir.glob("*.sqlite3"):
        assert_no_key(dump(path), path)
    assert_no_key(studio.output.encode(), "the log")


def test_no_answer_of_the_api_holds_a_key(owner: httpx.Client, jobs: list[Any]) -> None:
    paths = ["session", "models", "jobs?limit=100", "tapes?limit=100", "agents", "batches"]
    for job in jobs:
        tape = f"tapes/{job['tape_id']}"
        count = owner.get(f"/api/v1/{tape}").json()["step_count"]
        paths += [f"jobs/{job['id']}", tape, f"{tape}/outline", f"{tape}/steps"]
        paths += [f"{tape}/steps/{at}/call" for at in range(count)]
    for path in paths:
        assert_no_key(owner.get(f"/api/v1/{path}").content, path)


def test_no_export_holds_a_key(owner: httpx.Client, jobs: list[Any]) -> None:
    tapes = [("tape", job["tape_id"]) for job in jobs]

    answer = owner.get("/api/v1/exports", params=tapes)

    assert answer.status_code == 200
    archive = zipfile.ZipFile(io.BytesIO(answer.content))
    assert any(name.endswith(".sqlite") for name in archive.namelist())
    for name in archive.namelist():
        assert_no_key(archive.read(name), name)


@pytest.mark.parametrize("table", TABLES)
def test_no_page_of_the_admin_holds_a_key(owner: httpx.Client, jobs: list[Any], table: str) -> None:
    place = f"/admin/tapes_app/{table}record/"
    listed = owner.get(place)
    assert listed.status_code == 200
    assert_no_key(listed.content, place)
    for link in {part.split('"')[0] for part in listed.text.split(f'href="{place}')[1:]}:
        if link.endswith("/change/"):
            assert_no_key(owner.get(place + link).content, link)


def add_model(client: httpx.Client, endpoint: OpenAIServer, name: str, **key: str) -> str:
    body = {"name": name, "litellm_model": "test-model", "base_url": endpoint.base_url, **key}
    answer = write(client, "POST", "/api/v1/models", body)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def run_agent(client: httpx.Client, model: str) -> Any:
    (chat,) = [agent for agent in client.get("/api/v1/agents").json() if agent["name"] == "chat"]
    version = client.get(f"/api/v1/agents/{chat['id']}").json()["versions"][0]["id"]
    body = {"agent_version_id": version, "message": "Hello", "model_id": model}
    answer = write(client, "POST", "/api/v1/tapes", body)
    assert answer.status_code == 201, answer.text
    address = f"/api/v1/jobs/{answer.json()['job_id']}"
    wait_until(lambda: client.get(address).json()["state"] in ENDED)
    return client.get(address).json()


def write(client: httpx.Client, method: str, path: str, body: Any = None) -> httpx.Response:
    return client.request(
        method, path, json=body, headers={"X-CSRFToken": client.cookies["csrftoken"]}
    )


def dump(path: Path) -> bytes:
    """Return every value of a database, also those that its file holds in pieces."""
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    database.text_factory = bytes
    names = [name.decode() for (name,) in database.execute("SELECT name FROM sqlite_master")]
    tables = [name for name in names if name.startswith(("tapes_app", "django", "auth"))]
    pieces: list[bytes] = []
    for name in tables:
        try:
            rows = database.execute(f'SELECT * FROM "{name}"').fetchall()
        except sqlite3.OperationalError:
            continue  # an index has no rows of its own
        pieces += [value for row in rows for value in row if isinstance(value, bytes)]
    database.close()
    return b"\n".join(pieces)


def assert_no_key(content: bytes, place: object) -> None:
    for key in KEYS:
        for form in (key.encode(), base64.b64encode(key.encode()), key[8:].encode()):
            assert form not in content, f"{place} holds {key}"
