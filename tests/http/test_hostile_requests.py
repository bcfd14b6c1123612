"""Requests that nobody would type: the API answers all of them, and none with a 500."""

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
import schemathesis
from django.contrib.auth.models import User
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from django.test import Client
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import Case

from tapes_app.engine.tape.steps import UnknownStep
from tapes_app.engine.tape.tape import Tape
from tapes_app.tapes.store.saving import save_tape
from tests.http.kept_rows import kept_rows, owner, project, world
from tests.http.routes import describe_api
from tests.http.worlds import World

__all__ = ["kept_rows", "owner", "project", "world"]

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.slow,
    # Downloads are made for the asynchronous server; here a synchronous client asks.
    pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume asynchronous"),
]

CSRF = "a" * 32
ABOUT_REAL_ROWS = 10
"""How many requests of each operation."""

LEAST = 2
"""How many of those that differ in ids only: about unknown rows, or with no other parameter."""


@pytest.fixture(autouse=True)
def _kept_connection() -> Iterator[None]:
    """Keep the test's transaction open between requests, as Django's own client does."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield
    for signal in signals:
        signal.connect(close_old_connections)


DESCRIPTION = json.loads(json.dumps(describe_api(), default=str))


def load_schema() -> Any:
    schema = schemathesis.openapi.from_dict(DESCRIPTION)
    schema.app = get_wsgi_application()
    return schema


OPERATIONS = {
    found.label: found for found in (result.ok() for result in load_schema().get_all_operations())
}
ONLY_IDS = {
    f"{method.upper()} {path}"
    for path, methods in DESCRIPTION["paths"].items()
    for method, described in methods.items()
    if "requestBody" not in described
    and all(one["schema"].get("format") == "uuid" for one in described.get("parameters", ()))
}
BOUNDED = settings(
    derandomize=True,
    deadline=None,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.mark.parametrize("label", OPERATIONS)
def test_no_request_breaks_the_studio(
    label: str, studio: Client, owner: User, world: World
) -> None:
    operation = OPERATIONS[label]
    cookies = {name: morsel.value for name, morsel in studio.cookies.items()}
    cookies["csrftoken"] = CSRF
    ids = {
        "tape_id": world.tape,
        "other_id": world.tape,
        "call_id": world.call,
        "batch_id": world.batch,
        "agent_id": world.agent,
        "agent_version_id": world.version,
        "model_id": world.model,
        "job_id": world.job,
        "rubric_id": world.rubric,
        "queue_id": world.queue,
        "item_id": world.item,
    }

    def ask(case: Case[Any]) -> None:
        with transaction.atomic():
            answer = case.call(headers={"X-CSRFToken": CSRF}, cookies=cookies)
            transaction.set_rollback(True)
        assert answer.status_code < 500, answer.text
        if answer.status_code >= 400:
            assert set(answer.json()) == {"code", "message", "details"}

    def ask_about_real_rows(case: Case[Any]) -> None:
        for values in (case.path_parameters, case.body):
            if isinstance(values, dict):
                values |= {name: str(ids[name]) for name in values if name in ids}
        ask(case)

    made = given(case=operation.as_strategy())
    for asks, count in (
        (ask_about_real_rows, ABOUT_REAL_ROWS),
        (ask, LEAST),
    ):
        bounded = settings(BOUNDED, max_examples=LEAST if label in ONLY_IDS else count)
        bounded(made(asks))()


def nested(depth: int) -> str:
    return '{"a":' * depth + "1" + "}" * depth


@pytest.mark.parametrize(
    ("content_type", "body"),
    [
        ("application/json", b"{"),
        ("application/json", b""),
        ("application/json", b"[]"),
        ("application/json", b"\xff\xfe"),
        ("application/json", b"[" * 200_000),
        ("application/json", b"9" * 10_000),
        ("application/json", b'{"version": NaN, "operations": [], "applied_count": 0}'),
        ("text/plain", b"version=1"),
        ("multipart/form-data", b"x"),
        ("multipart/form-data; boundary=x", b"--x\r\nContent-Disposition: nothing\r\n\r\n"),
    ],
)
@pytest.mark.parametrize("path", ["tapes/{tape}/draft", "models/{model}", "uploads"])
def test_bodies_that_are_no_request_are_refused(
    studio: Client, world: World, content_type: str, body: bytes, path: str
) -> None:
    method = "POST" if path == "uploads" else "PUT"
    address = f"/api/v1/{path.format(tape=world.tape, model=world.model)}"

    answer = studio.generic(method, address, body, content_type=content_type)

    assert 400 <= answer.status_code < 500, answer.content
    assert set(answer.json()) == {"code", "message", "details"}


@pytest.mark.parametrize(
    "body",
    [
        "{" + ", ".join(f'"name-{number}": 0' for number in range(300_000)) + "}",
        '{"name": "x", "parameters": {"a": [' + '{"b": 0}, ' * 300_000 + "0]}}",
    ],
)
def test_a_body_of_very_many_fields_is_refused(studio: Client, world: World, body: str) -> None:
    answer = studio.generic("POST", "/api/v1/models", body, content_type="application/json")

    assert answer.status_code == 413
    assert "more than 100,000 fields" in answer.json()["message"]


def test_only_the_first_of_many_mistakes_are_told(studio: Client, world: World) -> None:
    body = json.dumps({f"name-{number}": "::::" for number in range(50_000)})

    answer = studio.generic("POST", "/api/v1/models", body, content_type="application/json")

    assert answer.status_code == 422
    assert len(answer.json()["details"]["problems"]) == 50


@pytest.mark.parametrize("depth", [50, 900, 5000])
def test_deeply_nested_steps_are_kept_or_refused(studio: Client, world: World, depth: int) -> None:
    step = f'{{"kind": "user", "content": "x", "deep": {nested(depth)}}}'
    operation = f'{{"op": "insert", "position": 0, "step": {step}}}'
    body = f'{{"version": 0, "operations": [{operation}], "applied_count": 1}}'
    address = f"/api/v1/tapes/{world.tape}"

    put = studio.put(f"{address}/draft", body, content_type="application/json")
    answers = [
        put,
        studio.get(f"{address}/draft"),
        studio.get(f"{address}/draft/preview"),
        studio.get(address),
        studio.post(f"{address}/save"),
    ]

    assert [answer.status_code for answer in answers if answer.status_code >= 500] == []


HOSTILE_TEXTS = [
    "<script>alert(1)</script>",
    "\ud800 half a pair",
    "NUL \x00 here",
    "\u202e backwards \x1b[31m red",
    "javascript:alert(1)",
    "x" * 1_000_000,
]


@pytest.mark.parametrize("text", HOSTILE_TEXTS, ids=ascii)
def test_hostile_text_goes_in_and_comes_out_as_it_is(
    studio: Client, world: World, text: str
) -> None:
    step = {"kind": "note_thought", "content": text}
    operation = {"op": "insert", "position": 0, "step": step}
    body = {"version": 0, "operations": [operation], "applied_count": 1}
    address = f"/api/v1/tapes/{world.tape}"

    put = studio.put(f"{address}/draft", json.dumps(body), content_type="application/json")
    preview = studio.get(f"{address}/draft/preview")
    saved = studio.post(f"{address}/save")
    child = saved.json()["tape_id"]
    shown = studio.get(f"/api/v1/tapes/{child}/steps/0")  # a page would cut what is very long

    assert (put.status_code, preview.status_code, saved.status_code) == (200, 200, 201)
    assert shown.json()["body"]["content"] == text
    assert studio.get(f"/api/v1/tapes/{world.tape}/diff/{child}").status_code == 200
    words = quote(text[:200], errors="surrogatepass")
    assert studio.get(f"/api/v1/tapes?q={words}").status_code in {200, 422}


@pytest.mark.parametrize("value", ["1e400", "NaN", "-Infinity", "1" * 5000])
def test_numbers_that_json_does_not_have_do_not_break_a_page(
    studio: Client, world: World, value: str
) -> None:
    body = (
        '{"version": 0, "applied_count": 1, "operations": [{"op": "insert", "position": 0, '
        f'"step": {{"kind": "note_thought", "number": {value}}}}}]}}'
    )
    address = f"/api/v1/tapes/{world.tape}"

    put = studio.put(f"{address}/draft", body, content_type="application/json")
    answers = [put, studio.get(f"{address}/draft/preview"), studio.post(f"{address}/save")]

    for answer in answers:
        assert answer.status_code < 500
        json.loads(answer.content, parse_constant=_refuse)


def _refuse(name: str) -> None:
    raise AssertionError(f"{name} is not JSON, and no browser reads it")


def test_numbers_of_an_imported_tape_that_json_does_not_have_are_shown(
    studio: Client, world: World
) -> None:
    step = UnknownStep.model_validate({"kind": "note_thought", "number": float("nan")})
    tape_id = save_tape(world.project, Tape().append(step))

    answer = studio.get(f"/api/v1/tapes/{tape_id}/steps")

    shown = json.loads(answer.content, parse_constant=_refuse)
    assert shown["items"][0]["body"]["number"] == "NaN"


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "models", {"name": "a\x00", "litellm_model": "x/y"}),
        ("POST", "models", {"name": "a", "litellm_model": "x\x00"}),
        ("PATCH", "models/{model}", {"base_url": "http://\x00"}),
        ("POST", "agents", {"spec": {"name": "a\x00"}}),
        ("POST", "agents", {"spec": {"name": "a" * 201}}),
        ("POST", "agents", {"spec": {"name": "a\ud800"}}),
        ("POST", "agents", {"spec": {"name": "deep", "templates": {"a": ["\x00\ud800"]}}}),
        ("GET", "tapes?q=%00", None),
        ("GET", "tapes?q=agent:%00", None),
        ("GET", "tapes?after=%00", None),
        ("GET", "jobs?after=%00", None),
        ("GET", "step-kinds/%00/schema", None),
        ("POST", "tapes", {"agent_version_id": "{version}", "message": "\x00"}),
    ],
)
def test_texts_that_a_database_does_not_take_break_nothing(
    studio: Client, world: World, method: str, path: str, body: Any
) -> None:
    filled = json.dumps(body).replace("{version}", str(world.version)) if body else ""

    answer = studio.generic(
        method,
        f"/api/v1/{path.format(model=world.model)}",
        filled,
        content_type="application/json",
    )

    assert answer.status_code < 500, answer.content
