"""Notes in the report of each test how much processor time it took, with the programs it used."""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

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
    """Note it after the fixtures: making one counts for the first test, ending it for the last."""
    ended = _count_seconds()
    try:
        return (yield)
    finally:
        # Less than nothing, where programs end that nobody waits for, as parts of a browser do.
        taking_down = max(0.0, _count_seconds() - ended)
        spent = max(0.0, ended - item.stash[_spent_before]) + taking_down
        item.user_properties.append((PROCESSOR_SECONDS, f"{spent:.2f}"))


def _count_seconds() -> float:
    """Return the seconds of this process and of all programs that it started."""
    return sum(os.times()[:4]) + _count_living(os.getpid())


def _count_living(process_id: int) -> float:
    """Return the seconds of programs that still run: a studio and a browser serve many tests.

    Without this, the last test that uses them would be charged for all. Only Linux lists them.
    """
    seconds = 0.0
    for listed in Path(f"/proc/{process_id}/task").glob("*/children"):
        with suppress(OSError):  # it ended meanwhile
            for child in listed.read_text().split():
                seconds += _read_seconds(child) + _count_living(int(child))
    return seconds


def _read_seconds(process_id: str) -> float:
    """Return the seconds of a process and of those that it waited for."""
    _, _, fields = Path(f"/proc/{process_id}/stat").read_text().rpartition(")")
    return sum(map(int, fields.split()[11:15])) / os.sysconf("SC_CLK_TCK")
