"""Waiting for what happens outside a test, with a limit on time without any change."""

import threading
import time
from collections.abc import Callable

PATIENCE_SECONDS = 120.0


def wait_until(
    is_so: Callable[[], object],
    what: str = "what a test waits for",
    *,
    progress: Callable[[], object] = lambda: None,
    pause_seconds: float = 0.02,
) -> None:
    """Check repeatedly until something is true, or until `progress` did not change for too long.

    Tests that wait long, and whose check costs much CPU, should pause for longer.
    """
    deadline, before = time.monotonic() + PATIENCE_SECONDS, progress()
    pause = threading.Event()
    while not is_so():
        now = progress()
        if now != before:
            deadline, before = time.monotonic() + PATIENCE_SECONDS, now
        assert time.monotonic() < deadline, f"{PATIENCE_SECONDS:.0f} s were not enough: {what}"
        pause.wait(pause_seconds)
