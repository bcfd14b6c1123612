"""What every test may use: recorded data when it is there, and limits that hold everywhere."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest
from django.conf import settings
from django.db import connection
from pytest_django import DjangoDbBlocker

hypothesis.settings.register_profile(
    "studio",
    deadline=None,
    derandomize=True,
    max_examples=60,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("studio")

_TESTS = Path(__file__).resolve().parent
SHARED_DATA = _TESTS.parent.parent / "shared" / "data"
_DATABASE_FOLDERS = {"storage", "jobs", "services", "api"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what the folder says anyway: browser tests, and those to repeat on PostgreSQL."""
    for item in items:
        folders = item.path.relative_to(_TESTS).parts
        if "e2e" in folders:
            item.add_marker(pytest.mark.e2e)
        if _DATABASE_FOLDERS.intersection(folders):
            item.add_marker(pytest.mark.both_databases)


@pytest.fixture(scope="session", autouse=True)
def _remove_data_dir() -> Iterator[None]:
    yield
    shutil.rmtree(settings.STUDIO_DATA_DIR, ignore_errors=True)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real tapes beside the repository; tests that need it skip without it."""
    if not SHARED_DATA.is_dir():
        pytest.skip("the folder of recorded tapes is not on this machine")
    return SHARED_DATA


@pytest.fixture(scope="session")
def is_postgres() -> bool:
    return bool(os.environ.get("TEST_DATABASE_URL"))


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """End what still holds the test database, so that PostgreSQL lets it be dropped.

    Threads that served consumers under test keep their connections until the process ends.
    """
    yield
    if connection.vendor != "postgresql":
        return
    with django_db_blocker.unblock(), connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
