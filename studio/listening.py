"""When this process last asked the broker for messages, noted by the loop that asks.

A worker whose consumer has ended may go on for as long as its jobs run: its process and its other
threads live, but it hears of nothing new. With Redis as the broker, nothing is noted.
"""

import time
from collections.abc import Iterable

DEAF_AFTER_SECONDS = 8.0

_listened_at: dict[str, float] = {}


def note_listening(queues: Iterable[str]) -> None:
    """Note that the consumer asks for messages of these queues."""
    now = time.monotonic()
    _listened_at.update((queue, now) for queue in queues)


def list_deaf(queues: Iterable[str]) -> list[str]:
    """Return those queues to which this process listened once, but not for some seconds."""
    oldest = time.monotonic() - DEAF_AFTER_SECONDS
    return [queue for queue in queues if _listened_at.get(queue, oldest) < oldest]
