"""A model server that really listens, for each test that wants one."""

from collections.abc import Iterator

import pytest

from tests.llms.openai_server import OpenAIServer


@pytest.fixture
def model_server() -> Iterator[OpenAIServer]:
    with OpenAIServer() as server:
        yield server
