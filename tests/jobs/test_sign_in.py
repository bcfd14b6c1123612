"""A websocket belongs to the person whose session its cookie names, and to nobody else."""

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client

from tapes_app.projects.api.sign_in import load_user
from tests.jobs.builders import store_person

pytestmark = pytest.mark.django_db


def cookie_of(user: User) -> str:
    client = Client()
    client.force_login(user)
    return client.cookies[settings.SESSION_COOKIE_NAME].value


def headers(cookie: str) -> list[tuple[bytes, bytes]]:
    text = f"theme=dark; {settings.SESSION_COOKIE_NAME}={cookie}"
    return [(b"host", b"127.0.0.1"), (b"cookie", text.encode())]


def test_the_cookie_of_a_session_names_its_person() -> None:
    user = store_person()

    assert load_user(headers(cookie_of(user))) == user


@pytest.mark.parametrize("cookie", ["", "0" * 32, "../../etc/passwd", "\u00e9"])
def test_a_cookie_without_a_session_is_nobody(cookie: str) -> None:
    assert load_user(headers(cookie)).is_anonymous
    assert load_user([]).is_anonymous


def test_a_session_from_before_a_new_password_is_nobody() -> None:
    user = store_person()
    cookie = cookie_of(user)

    user.set_password("another")
    user.save()

    assert load_user(headers(cookie)).is_anonymous


def test_somebody_who_may_not_sign_in_any_more_is_nobody() -> None:
    user = store_person()
    cookie = cookie_of(user)

    user.is_active = False
    user.save()

    assert load_user(headers(cookie)).is_anonymous
