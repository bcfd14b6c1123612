"""Fixtures for all tests, and limits that hold everywhere."""

import fcntl
import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from django.conf import settings
from django.db import connection
from pytest_django import DjangoDbBlocker

from tests.postgres.selection import runs_on_postgres
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
_ONE_STUDIO = {
    "tests/e2e/test_accounts.py": "accounts",
    "tests/e2e/test_editing.py": "accounts",
}
"""Browser stories that stay together because they share a studio with several people."""

_SLOW: dict[str, int] = json.loads((_TESTS / "slow_files.json").read_text("utf-8"))
"""Seconds of files that take long, as `deploy/run_tests.py --record` wrote them."""

# Fixtures of several subjects: people over HTTP, and rows by their ids.
pytest_plugins = ["tests.costs", "tests.fork_server", "tests.http.people", "tests.builders.rows"]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark browser tests; on PostgreSQL, leave out what is not about its SQL; slow files first."""
    for item in items:
        if "e2e" in item.path.relative_to(_TESTS).parts:
            item.add_marker(pytest.mark.e2e)
    if os.environ.get("TEST_DATABASE_URL"):
        config.hook.pytest_deselected(items=[one for one in items if not _is_about_postgres(one)])
        items[:] = filter(_is_about_postgres, items)
    if hasattr(config, "workerinput"):  # so that no process is left alone with one at the end
        items.sort(key=lambda item: -_SLOW.get(item.nodeid.partition("::")[0], 0))


def _is_about_postgres(item: pytest.Item) -> bool:
    fixtures = getattr(item, "fixturenames", ())
    has_rows = "db" in fixtures or item.get_closest_marker("django_db") is not None
    return has_rows and runs_on_postgres(item.path)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Give each parallel worker complete files, so that what a file starts is started once."""
    from xdist.scheduler import LoadFileScheduling  # type: ignore[import-untyped]

    config.option.loadscopereorder = False  # in the order of the files, as in a single process
    scheduler = LoadFileScheduling(config, log)
    scheduler._split_scope = _keep_together
    return scheduler


def _keep_together(node_id: str) -> str:
    """Return the name of the group for one worker: a file, or all files that share a studio."""
    file = Path(node_id.partition("::")[0])
    if file.parent.name == "security":
        return str(file.parent)
    if file.name == "test_axe.py":  # checks every page of the studio, and each test takes long
        return node_id
    return _ONE_STUDIO.get(file.as_posix(), str(file))


def pytest_unconfigure() -> None:
    shutil.rmtree(settings.STUDIO_DATA_DIR, ignore_errors=True)


@pytest.fixture
def redis_url() -> Iterator[str]:
    """The tests' Redis, for only one test on this machine at a time.

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
    django_db_modify_db_settings: None,  # this fixture names the database of this worker
    is_postgres: bool,
) -> bool:
    """Start on SQLite with prepared tables, as each test process needs them."""
    if is_postgres:
        return django_db_keepdb
    copy_tables(Path(settings.DATABASES["default"]["TEST"]["NAME"]))
    return True


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """End whatever still holds the test database, so that PostgreSQL can drop it.

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
