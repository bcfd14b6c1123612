"""Waiting for what happens beside a test: never two minutes in which nothing changes."""

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
    """Look again and again until something is so, or until `progress` gave one value for too long.

    Who waits for something that lasts, and asks much of the processor to look, pauses for longer.
    """
    deadline, before = time.monotonic() + PATIENCE_SECONDS, progress()
    pause = threading.Event()
    while not is_so():
        now = progress()
        if now != before:
            deadline, before = time.monotonic() + PATIENCE_SECONDS, now
        assert time.monotonic() < deadline, f"{PATIENCE_SECONDS:.0f} s were not enough: {what}"
        pause.wait(pause_seconds)
