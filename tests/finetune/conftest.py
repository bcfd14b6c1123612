"""A base model that is made once for all tests of the trainer."""

from pathlib import Path

import pytest

from tests.finetune.folders import make_base


@pytest.fixture(scope="session")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_base(tmp_path_factory.mktemp("base"))
