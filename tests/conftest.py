"""What every test may use, and limits that hold everywhere."""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from django.conf import settings
from django.db import connection
from pytest_django import DjangoDbBlocker

from tests.studio.running_studio import copy_tables

hypothesis.settings.register_profile(
    "studio",
    deadline=None,
    derandomize=True,
    max_examples=60,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("studio")

_TESTS = Path(__file__).resolve().parent
_SUBJECTS = {path.parent.name for path in _TESTS.parent.glob("*_app/*/services")}
_ONE_STUDIO = {
    "tests/e2e/test_accounts.py": "accounts",
    "tests/e2e/test_editing.py": "accounts",
}
"""Browser stories that stay together because they share a studio of several people."""

# Fixtures of several subjects: people over HTTP, and rows by their ids.
pytest_plugins = ["tests.http.people", "tests.builders.rows"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark browser tests, and tell the report which tests are to be repeated on PostgreSQL."""
    for item in items:
        folders = item.path.relative_to(_TESTS).parts
        if "e2e" in folders:
            item.add_marker(pytest.mark.e2e)
        if item.get_closest_marker("sqlite_alone"):
            continue
        if item.get_closest_marker("both_databases"):
            item.user_properties.append(("both_databases", True))  # `make test` reads it
            if not _names_the_mark(item.path):
                raise pytest.UsageError(
                    f"{item.nodeid} has the mark both_databases from elsewhere: write it in its "
                    "file, where `make test` looks for it."
                )
        elif _SUBJECTS.intersection(folders) and _asks_for_rows(item):
            raise pytest.UsageError(
                f"{item.nodeid} asks for rows: mark it, or its file, with both_databases."
            )


@cache
def _names_the_mark(file: Path) -> bool:
    return "both_databases" in file.read_text("utf-8")


def _asks_for_rows(item: pytest.Item) -> bool:
    fixtures = getattr(item, "fixturenames", ())
    return "db" in fixtures or item.get_closest_marker("django_db") is not None


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Give each parallel worker whole files: what a file starts is started once."""
    from xdist.scheduler import LoadFileScheduling  # type: ignore[import-untyped]

    config.option.loadscopereorder = False  # in the order of the files, as in one process
    scheduler = LoadFileScheduling(config, log)
    scheduler._split_scope = _keep_together
    return scheduler


def _keep_together(node_id: str) -> str:
    """Return the name of what one worker runs: a file, or all files that share a studio."""
    file = Path(node_id.partition("::")[0])
    if file.parent.name == "security":
        return str(file.parent)
    if file.name == "test_axe.py":  # looks at every page of the studio, and each test takes long
        return node_id
    return _ONE_STUDIO.get(file.as_posix(), str(file))


def pytest_unconfigure() -> None:
    shutil.rmtree(settings.STUDIO_DATA_DIR, ignore_errors=True)


@pytest.fixture
def redis_url() -> Iterator[str]:
    """The tests' Redis, for one test of this machine at a time.

    A worker takes whatever waits in a queue, and would take it from another run of the tests.
    """
    url = os.environ.get("TEST_REDIS_URL")
    if not url:
        pytest.skip("TEST_REDIS_URL names no server")
    lock = Path(tempfile.gettempdir()) / f"studio-tests-redis-{os.getuid()}.lock"
    with lock.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield url


@pytest.fixture(scope="session")
def is_postgres() -> bool:
    return bool(os.environ.get("TEST_DATABASE_URL"))


@pytest.fixture(scope="session")
def django_db_keepdb(
    django_db_keepdb: bool,
    django_db_modify_db_settings: None,  # which names the database of this worker
    is_postgres: bool,
) -> bool:
    """Begin on SQLite with tables that were made before: each process of tests needs them."""
    if is_postgres:
        return django_db_keepdb
    copy_tables(Path(settings.DATABASES["default"]["TEST"]["NAME"]))
    return True


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
