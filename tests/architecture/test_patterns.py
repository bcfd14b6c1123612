"""Our own regular expressions take linear time, whatever the text is."""

import heapq
import re
import signal
import time
from collections.abc import Iterator
from types import FrameType

import pytest

from tests.architecture.patterns import Pattern, Repetition, find_patterns, list_repetitions

PATTERNS, HIDDEN = find_patterns()

_SIZES = ((500, 40), (4_000, 8), (64_000, 3), (1_000_000, 1))
"""How long the texts are, and how many of the slowest are tried at the next length."""

_STUCK_SECONDS = 2.0
"""Of this process's own CPU time. The slowest linear one takes 0.2 s, quadratic ones 100 s."""


class _StuckError(Exception):
    """A pattern does not finish."""


@pytest.fixture(autouse=True)
def _interrupts() -> Iterator[None]:
    def interrupt(number: int, frame: FrameType | None) -> None:
        raise _StuckError

    before = signal.signal(signal.SIGVTALRM, interrupt)
    yield
    signal.signal(signal.SIGVTALRM, before)


def test_every_pattern_is_written_where_it_can_be_tested() -> None:
    assert not HIDDEN
    assert len(PATTERNS) > 50


@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda one: f"{one.place}-{one.asked}")
def test_a_pattern_is_linear_on_its_worst_inputs(pattern: Pattern) -> None:
    assert _find_stuck(pattern) is None


@pytest.mark.parametrize("written", [r"\s+$", r"(a|a)*b"])
def test_a_steep_pattern_is_found_out(written: str) -> None:
    assert _find_stuck(Pattern("here", re.compile(written), "search"))


def _find_stuck(pattern: Pattern) -> tuple[Repetition, int] | None:
    """Return the text that a pattern does not finish with, and its length."""
    worst = list_repetitions(pattern.compiled)
    for size, kept in _SIZES:
        taken: dict[Repetition, float] = {}
        for text in worst:
            taken[text] = _measure(pattern, text.of(size))
            if taken[text] >= _STUCK_SECONDS:
                return text, size
        worst = heapq.nlargest(kept, taken, key=taken.__getitem__)
    return None


def _measure(pattern: Pattern, text: str) -> float:
    began = time.process_time()
    signal.setitimer(signal.ITIMER_VIRTUAL, _STUCK_SECONDS)
    try:
        pattern.run(text)
    except _StuckError:
        return _STUCK_SECONDS
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return time.process_time() - began
