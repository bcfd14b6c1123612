"""Notes in the report of each test how much processor time it took, with programs it waited for."""

import os
from collections.abc import Iterator

import pytest

PROCESSOR_SECONDS = "processor_seconds"
"""The name of the property in JUnit reports; `deploy/test_reports.py` adds them up."""

_spent_before = pytest.StashKey[float]()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    item.stash[_spent_before] = _count_seconds()
    return (yield)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[None]:
    """Fixtures that outlive a test count for the last test that uses them."""
    try:
        return (yield)
    finally:
        spent = _count_seconds() - item.stash[_spent_before]
        item.user_properties.append((PROCESSOR_SECONDS, f"{spent:.2f}"))


def _count_seconds() -> float:
    """Return the seconds of this process and of the programs that it started and that ended."""
    return sum(os.times()[:4])
