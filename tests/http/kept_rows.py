"""The rows of `people.py`, made once for all tests of a file that only reads them.

Import the fixtures that the tests of the file use, and `kept_rows`. Each test's own changes are
rolled back to these rows; tests with real transactions cannot use them.
"""

from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from pytest_django import DjangoDbBlocker

from tapes_app.models import MembershipRecord, ProjectRecord
from tests.http.worlds import World, fill_project


@pytest.fixture(scope="module")
def kept_rows(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """A transaction around all tests of a file; each test is a savepoint in it."""
    with django_db_blocker.unblock():
        around = transaction.atomic()
        around._from_testcase = True  # type: ignore[attr-defined]
        around.__enter__()
    yield
    with django_db_blocker.unblock():
        transaction.set_rollback(True)
        around.__exit__(None, None, None)


@pytest.fixture(scope="module")
def owner(kept_rows: None, django_db_blocker: DjangoDbBlocker) -> User:
    with django_db_blocker.unblock():
        return User.objects.create_user("ada", password="x")


@pytest.fixture(scope="module")
def project(owner: User, django_db_blocker: DjangoDbBlocker) -> ProjectRecord:
    with django_db_blocker.unblock():
        return make_project("Ours", owner)


@pytest.fixture(scope="module")
def world(project: ProjectRecord, owner: User, django_db_blocker: DjangoDbBlocker) -> World:
    """One row of each kind in the owner's project."""
    with django_db_blocker.unblock():
        return fill_project(project.id, owner.pk)


@pytest.fixture(scope="module")
def elsewhere(kept_rows: None, django_db_blocker: DjangoDbBlocker) -> World:
    """One row of each kind in somebody else's project."""
    with django_db_blocker.unblock():
        stranger = User.objects.create_user("sam", password="x")
        return fill_project(make_project("Theirs", stranger).id, stranger.pk)


def make_project(name: str, owner: User) -> ProjectRecord:
    project = ProjectRecord.objects.create(name=name)
    MembershipRecord.objects.create(project=project, user=owner, role="owner")
    return project
