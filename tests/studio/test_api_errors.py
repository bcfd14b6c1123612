"""Errors of the API have one shape and leak nothing."""

import errno
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from django.db.utils import ConnectionHandler
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path
from ninja import Router
from pytest_django.fixtures import Settings

from studio import urls
from studio.api import build_api
from studio.databases import sqlite_database
from studio.logins import load_owner
from tapes_app.engine.errors import ConflictError
from tapes_app.engine.redaction import register_secret

pytestmark = pytest.mark.django_db
router = Router()


@router.get("/conflict")
def answer_conflict(request: object) -> None:
    raise ConflictError("The tape grew meanwhile; reload it.", at=3)


@router.get("/crash")
def answer_crash(request: object) -> None:
    raise RuntimeError("the password is hunter2hunter2")


@router.get("/secret")
def answer_secret(request: object) -> None:
    register_secret("zebra-crossing-key")
    raise ConflictError("The model refused the key zebra-crossing-key.")


@router.get("/full")
def answer_from_a_full_disk(request: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


DAMAGED: list[Path] = []
"""A file that is not a database."""


@router.get("/damaged")
def answer_from_a_damaged_file(request: object) -> None:
    ask(DAMAGED[-1], "SELECT count(*) FROM sqlite_master")


@router.get("/no-page")
def answer_from_a_database_without_room(request: object) -> None:
    ask(Path(":memory:"), "PRAGMA max_page_count = 1", "CREATE TABLE a (b)")


@router.get("/mistaken")
def answer_a_mistaken_question(request: object) -> None:
    ask(Path(":memory:"), "SELECT no_such_column")


def ask(path: Path, *questions: str) -> None:
    rows = ConnectionHandler({"default": sqlite_database(path)})["default"]
    with closing(rows), rows.cursor() as cursor:
        for question in questions:
            cursor.execute(question)


@router.get("/number/{number}")
def answer_number(request: object, number: int) -> int:
    return number


@router.post("/change")
def answer_change(request: object) -> bool:
    return True


def show_full(request: HttpRequest) -> HttpResponse:
    answer_from_a_database_without_room(request)
    return HttpResponse()


def show_damaged(request: HttpRequest) -> HttpResponse:
    ask(DAMAGED[-1], "SELECT count(*) FROM sqlite_master")
    return HttpResponse()


urlpatterns = [
    path("probe/damaged", show_damaged),
    path("probe/full", show_full),
    path("api/probe/", build_api([("/", router)], namespace="probe").urls),
    *urls.urlpatterns,
]


@pytest.fixture(autouse=True)
def _probe_addresses(settings: Settings) -> None:
    settings.ROOT_URLCONF = __name__


@pytest.fixture
def signed_in() -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(load_owner())
    return client


@pytest.fixture
def damaged_file(tmp_path: Path) -> Iterator[None]:
    (tmp_path / "studio.sqlite3").write_bytes(b"no database " * 1000)
    DAMAGED.append(tmp_path / "studio.sqlite3")
    yield
    DAMAGED.clear()


def test_a_database_that_cannot_answer_is_said_on_pages_and_by_the_api(
    signed_in: Client, damaged_file: None
) -> None:
    answer, page = signed_in.get("/api/probe/damaged"), signed_in.get("/probe/damaged")

    assert (answer.status_code, answer.json()["code"]) == (503, "database_unavailable")
    assert answer["Retry-After"] == "5"
    assert page.status_code == 503
    assert answer.json()["message"] in page.content.decode()


def test_a_disk_that_is_full_is_said(signed_in: Client) -> None:
    answer = signed_in.get("/api/probe/full")

    assert (answer.status_code, answer.json()["code"]) == (507, "no_space")


def test_a_database_without_room_is_a_disk_that_is_full(signed_in: Client) -> None:
    answer, page = signed_in.get("/api/probe/no-page"), signed_in.get("/probe/full")

    assert (answer.status_code, answer.json()["code"]) == (507, "no_space")
    said = "The disk with the data folder of the studio is full"
    assert answer.json()["message"].startswith(said)
    assert page.status_code == 507
    assert said in page.content.decode()


def test_a_full_disk_makes_health_fail(signed_in: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    used = shutil.disk_usage("/")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: used._replace(free=4096))

    answer = signed_in.get("/healthz")

    assert answer.status_code == 503
    assert answer.json()["parts"]["disk"] == "failing"


def test_a_mistake_in_what_is_asked_of_the_database_is_no_fault_of_it(signed_in: Client) -> None:
    answer = signed_in.get("/api/probe/mistaken")

    assert (answer.status_code, answer.json()["code"]) == (500, "internal_error")


def test_an_error_of_ours_keeps_code_message_and_details(signed_in: Client) -> None:
    answer = signed_in.get("/api/probe/conflict")

    assert answer.status_code == 409
    assert answer.json() == {
        "code": "conflict",
        "message": "The tape grew meanwhile; reload it.",
        "details": {"at": 3},
    }


def test_a_crash_tells_nothing_of_its_reason(signed_in: Client) -> None:
    answer = signed_in.get("/api/probe/crash")

    assert answer.status_code == 500
    assert answer.json()["code"] == "internal_error"
    assert "hunter2" not in answer.content.decode()


def test_a_registered_secret_never_leaves_in_a_message(signed_in: Client) -> None:
    assert signed_in.get("/api/probe/secret").json()["message"] == (
        "The model refused the key [redacted]."
    )


def test_a_request_that_does_not_parse_names_the_place(signed_in: Client) -> None:
    answer = signed_in.get("/api/probe/number/seven")

    assert answer.status_code == 422
    assert answer.json()["code"] == "request_invalid"
    assert answer.json()["details"]["problems"][0]["where"] == "path.number"


def test_a_mistyped_id_in_an_address_is_explained_in_a_sentence(signed_in: Client) -> None:
    answer = signed_in.get("/api/v1/sweeps/new")

    assert answer.status_code == 422
    assert (
        answer.json()["message"]
        == "The address contains an invalid id; check it for typing errors."
    )
    assert answer.json()["code"] == "invalid_id"
    assert answer.json()["details"]["problems"][0]["where"] == "path.job_id"
    compared = signed_in.get("/api/v1/batches/diff?a=zzz&b=zzz").json()
    assert compared["code"] == "invalid_id"


def test_a_wrong_method_is_answered_in_the_same_shape(signed_in: Client) -> None:
    answer = signed_in.delete("/api/probe/conflict")

    assert answer.status_code == 405
    assert answer.json()["code"] == "method_not_allowed"
    assert answer.headers["Allow"] == "GET"


def test_strangers_are_told_to_sign_in(client: Client) -> None:
    answer = client.get("/api/probe/number/1")

    assert answer.status_code == 401
    assert answer.json()["code"] == "not_signed_in"


def test_a_change_without_the_csrf_token_is_refused() -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(load_owner())

    answer = client.post("/api/probe/change")

    assert answer.status_code == 403
    assert answer.json()["code"] == "csrf_failed"
