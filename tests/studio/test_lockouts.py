"""Guessing passwords: wrong ones make a name wait, longer each time, from the same address."""

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from axes.models import AccessAttempt
from django.contrib.auth.models import User
from django.db import connection
from django.db.models import F
from django.test import Client
from pytest_django.fixtures import Settings

from tests.waiting import PATIENCE_SECONDS

pytestmark = pytest.mark.django_db

PASSWORD = "a long pass phrase"


@pytest.fixture(autouse=True)
def ada(settings: Settings) -> User:
    settings.STUDIO_ACCOUNTS = True
    return User.objects.create_user("ada", password=PASSWORD)


def sign_in(
    password: str, *, name: str = "ada", address: str = "192.0.2.1", agent: str = ""
) -> Any:
    sent = {"username": name, "password": password}
    client = Client(REMOTE_ADDR=address, headers={"User-Agent": agent})
    return client.post("/login/", sent)


def guess_slowly(count: int, *, name: str = "ada") -> list[int]:
    """Guess this often, each time from another client and some time later."""
    answers = []
    for number in range(count):
        let_pass(timedelta(seconds=15))
        answers.append(sign_in("guess", name=name, agent=f"robot {number}").status_code)
    return answers


def let_pass(time: timedelta) -> None:
    AccessAttempt.objects.update(attempt_time=F("attempt_time") - time)


def test_from_the_second_wrong_password_on_the_next_waits_longer_each_time() -> None:
    first, waits = sign_in("guess"), []
    for _ in range(3):
        assert sign_in("guess").status_code == 200
        waits.append(sign_in("another guess").headers["Retry-After"])
        let_pass(timedelta(seconds=15))

    assert first.status_code == 200
    assert waits == ["2", "5", "15"]


def test_who_is_too_quick_is_told_for_how_long_and_no_password_is_looked_at() -> None:
    sign_in("guess")
    sign_in("guess")

    early = [sign_in(PASSWORD) for _ in range(5)]
    let_pass(timedelta(seconds=2))

    assert {answer.status_code for answer in early} == {429}
    assert "Try again in 2 seconds." in early[-1].content.decode()
    assert sign_in(PASSWORD).status_code == 302


@pytest.mark.django_db(transaction=True)
def test_many_guesses_at_once_are_looked_at_one_after_another() -> None:
    together = threading.Barrier(8)

    def guess(number: int) -> int:
        together.wait(PATIENCE_SECONDS)
        try:
            return int(sign_in(f"guess {number}").status_code)
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as threads:
        answers = sorted(threads.map(guess, range(8)))

    assert answers == [200] * 2 + [429] * 6


def test_four_wrong_passwords_do_not_lock_and_a_right_one_forgets_them() -> None:
    for _ in range(2):
        assert guess_slowly(4) == [200] * 4
        let_pass(timedelta(minutes=1))
        assert sign_in(PASSWORD).status_code == 302


def test_after_five_the_right_one_waits_too_and_the_page_says_for_how_long() -> None:
    guesses = guess_slowly(5)

    answer = sign_in(PASSWORD)

    assert guesses == [200, 200, 200, 200, 429]
    assert answer.status_code == 429
    assert "Try again in 15 minutes." in answer.content.decode()
    assert answer.headers["Retry-After"] == "900"


def test_others_and_the_person_from_elsewhere_sign_in_meanwhile() -> None:
    User.objects.create_user("bo", password=PASSWORD)
    guess_slowly(5)

    assert sign_in(PASSWORD, name="bo").status_code == 302
    assert sign_in(PASSWORD, address="192.0.2.2").status_code == 302


def test_the_wait_ends_and_is_not_made_longer_by_trying() -> None:
    guess_slowly(5)
    let_pass(timedelta(minutes=13))

    assert sign_in("guess").status_code == 429
    let_pass(timedelta(minutes=2))
    assert sign_in(PASSWORD).status_code == 302


def test_no_password_is_kept() -> None:
    sign_in("a secret that was mistyped")

    assert "mistyped" not in str(AccessAttempt.objects.values().get())


def test_a_name_that_nobody_has_waits_alike() -> None:
    assert guess_slowly(5, name="nobody") == [200, 200, 200, 200, 429]
