"""Empty databases of the tests' PostgreSQL, where one answers."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from urllib.parse import urlsplit

import psycopg
import pytest

_NUMBERS = count(1)


@contextmanager
def new_databases(how_many: int) -> Iterator[list[str]]:
    """Yield the addresses of new databases, which are dropped afterwards."""
    server = os.environ.get("TEST_POSTGRES_URL")
    if not server:
        pytest.skip("TEST_POSTGRES_URL names no server")
    names = [f"studio_new_{os.getpid()}_{next(_NUMBERS)}" for _ in range(how_many)]
    with psycopg.connect(server, autocommit=True) as connection:
        for name in names:
            connection.execute(f"CREATE DATABASE {name}")
        try:
            yield [urlsplit(server)._replace(path=f"/{name}").geturl() for name in names]
        finally:
            for name in names:
                connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def needs_pg_dump() -> None:
    if shutil.which("pg_dump") is None:
        pytest.skip("the client programs of PostgreSQL are not here")
