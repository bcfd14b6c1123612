"""A tape with a project around it, on which experiments run."""

import pytest

from tests.experiments.lab import Lab


@pytest.fixture
def lab() -> Lab:
    return Lab()
