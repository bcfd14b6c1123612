"""Guessing passwords: after a few wrong ones a name has to wait, from where they came."""

from datetime import timedelta

import pytest
from axes.models import AccessAttempt
from django.contrib.auth.models import User
from django.test import Client
from pytest_django.fixtures import Settings

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

PASSWORD = "a long pass phrase"


@pytest.fixture(autouse=True)
def ada(settings: Settings) -> User:
    settings.STUDIO_ACCOUNTS = True
    return User.objects.create_user("ada", password=PASSWORD)


def sign_in(
    password: str, *, name: str = "ada", address: str = "192.0.2.1", agent: str = ""
) -> int:
    sent = {"username": name, "password": password}
    client = Client(REMOTE_ADDR=address, headers={"User-Agent": agent})
    return client.post("/login/", sent).status_code


def test_four_wrong_passwords_do_not_lock_and_a_right_one_forgets_them() -> None:
    assert [sign_in("guess") for _ in range(4)] == [200] * 4
    assert sign_in(PASSWORD) == 302
    assert [sign_in("guess") for _ in range(4)] == [200] * 4
    assert sign_in(PASSWORD) == 302


def test_after_five_the_right_one_waits_too_and_the_page_says_for_how_long() -> None:
    guesses = [sign_in("guess", agent=f"robot {n}") for n in range(5)]

    answer = Client(REMOTE_ADDR="192.0.2.1").post(
        "/login/", {"username": "ada", "password": PASSWORD}
    )

    assert guesses == [200, 200, 200, 200, 429]
    assert answer.status_code == 429
    assert "Try again in 15 minutes." in answer.content.decode()
    assert answer.headers["Retry-After"] == "900"
    assert "_auth_user_id" not in answer.client.session


def test_others_and_the_person_from_elsewhere_sign_in_meanwhile() -> None:
    User.objects.create_user("bo", password=PASSWORD)
    for _ in range(5):
        sign_in("guess")

    assert sign_in(PASSWORD, name="bo") == 302
    assert sign_in(PASSWORD, address="192.0.2.2") == 302


def test_the_wait_ends_and_is_not_made_longer_by_trying() -> None:
    for _ in range(5):
        sign_in("guess")
    (attempt,) = AccessAttempt.objects.all()
    AccessAttempt.objects.update(attempt_time=attempt.attempt_time - timedelta(minutes=14))

    assert sign_in("guess") == 429
    AccessAttempt.objects.update(attempt_time=attempt.attempt_time - timedelta(minutes=15))
    assert sign_in(PASSWORD) == 302


def test_no_password_is_kept() -> None:
    sign_in("a secret that was mistyped")

    assert "mistyped" not in str(AccessAttempt.objects.values().get())


def test_a_name_that_nobody_has_waits_alike() -> None:
    answers = [sign_in("guess", name="nobody") for _ in range(5)]

    assert answers == [200, 200, 200, 200, 429]
