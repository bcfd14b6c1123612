"""The whole studio on PostgreSQL and Redis, where they answer."""

import os
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import psycopg
import pytest

from tests.studio.running_studio import run_studio

pytestmark = [pytest.mark.slow, pytest.mark.both_databases]


@pytest.fixture
def database_url() -> Iterator[str]:
    server = os.environ.get("TEST_DATABASE_URL")
    if not server:
        pytest.skip("TEST_DATABASE_URL names no server")
    name = f"studio_up_{os.getpid()}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        yield urlsplit(server)._replace(path=f"/{name}").geturl()
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def test_it_is_green_on_servers_and_leaves_no_local_database(
    tmp_path: Path, database_url: str, redis_url: str
) -> None:
    with run_studio(tmp_path, DATABASE_URL=database_url, REDIS_URL=redis_url) as studio:
        studio.wait_until_ready()

        assert httpx.get(f"{studio.url}/healthz").json()["status"] == "ok"
        assert not (tmp_path / "studio.sqlite3").exists()
