"""Who may sign in by a link."""

from concurrent.futures import ThreadPoolExecutor
from io import StringIO
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from pytest_django.fixtures import Settings

from studio.instance_lock import InstanceLock
from studio.logins import create_login_token, load_owner, needs_login_link, use_login_token


def test_of_many_requests_with_one_token_exactly_one_gets_in() -> None:
    token = create_login_token()

    with ThreadPoolExecutor(16) as pool:
        outcomes = list(pool.map(use_login_token, [token] * 64))

    assert outcomes.count(True) == 1


@pytest.mark.django_db
def test_a_link_is_always_the_way_in_without_accounts(settings: Settings) -> None:
    settings.STUDIO_ACCOUNTS = False
    User.objects.create_user("ada", password="a long pass phrase")

    assert needs_login_link()


@pytest.mark.django_db
def test_with_accounts_the_link_leads_in_until_there_is_somebody(settings: Settings) -> None:
    settings.STUDIO_ACCOUNTS = True
    load_owner()

    assert needs_login_link()

    User.objects.create_user("ada", password="a long pass phrase")

    assert not needs_login_link()


@pytest.mark.django_db
def test_the_command_prints_a_link_to_the_running_studio_that_works(
    settings: Settings, client: Client
) -> None:
    out = StringIO()

    with InstanceLock(Path(settings.STUDIO_DATA_DIR)) as lock:
        lock.describe(url="http://127.0.0.1:9123")
        call_command("login_link", stdout=out)

    link = out.getvalue().strip()
    assert link.startswith("http://127.0.0.1:9123/login/")
    assert client.get(link.removeprefix("http://127.0.0.1:9123")).status_code == 302


@pytest.mark.django_db
def test_an_owner_made_by_others_becomes_able_to_administrate() -> None:
    User.objects.create(username="owner")

    owner = load_owner()

    assert owner.is_superuser
    assert owner.is_staff
