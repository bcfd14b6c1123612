"""Errors of the API have one shape and leak nothing."""

import pytest
from django.test import Client
from django.urls import path
from ninja import Router
from pytest_django.fixtures import Settings

from studio import urls
from studio.api import build_api
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


@router.get("/number/{number}")
def answer_number(request: object, number: int) -> int:
    return number


@router.post("/change")
def answer_change(request: object) -> bool:
    return True


urlpatterns = [
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
