"""A base model and a student of it, made once for all tests of distillation."""

from pathlib import Path

import pytest

from tests.serving.servers import make_adapter, make_long_base


@pytest.fixture(scope="session")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_long_base(tmp_path_factory.mktemp("distillation") / "base")


@pytest.fixture(scope="session")
def student(base: Path) -> Path:
    return make_adapter(base, base.parent / "student", 1)
