"""One base, three adapters, and one server of them, for all tests of serving."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.serving.servers import (
    Running,
    make_adapter,
    make_long_base,
    running,
    write_server,
)


@pytest.fixture(scope="session")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_long_base(tmp_path_factory.mktemp("serving") / "base")


@pytest.fixture(scope="session")
def adapters(base: Path) -> dict[str, Path]:
    """Three adapters; the last one cannot share a batch."""
    made = base.parent / "made"
    return {
        "one.v1": make_adapter(base, made / "one", 1),
        "two": make_adapter(base, made / "two", 2),
        "dora": make_adapter(base, made / "dora", 3, use_dora=True),
    }


@pytest.fixture(scope="session")
def server(base: Path, adapters: dict[str, Path]) -> Iterator[Running]:
    folder = write_server(base.parent / "server", base)
    for name, place in adapters.items():
        (folder / "adapters" / name).symlink_to(place)
    with running(folder) as started:
        yield started
