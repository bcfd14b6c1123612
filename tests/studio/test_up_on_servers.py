"""The complete studio on PostgreSQL and Redis, if they answer."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.studio.new_databases import new_databases
from tests.studio.running_studio import run_studio

pytestmark = pytest.mark.slow


@pytest.fixture
def database_url() -> Iterator[str]:
    with new_databases(1) as (address,):
        yield address


def test_it_is_green_on_servers_and_leaves_no_local_database(
    tmp_path: Path, database_url: str, redis_url: str
) -> None:
    with run_studio(tmp_path, DATABASE_URL=database_url, REDIS_URL=redis_url) as studio:
        studio.wait_until_ready()

        assert httpx.get(f"{studio.url}/healthz").json()["status"] == "ok"
        assert not (tmp_path / "studio.sqlite3").exists()
