"""When this process last asked the broker for messages, noted by the loop that asks.

A worker whose consumer has ended may go on for as long as its jobs run: its process and its other
threads live, but it hears of nothing new.
"""

import time
from collections.abc import Iterable, Mapping

DEAF_AFTER_SECONDS = 8.0

_listened_at: dict[str, float] = {}
"""In Unix time, as other processes read it."""


def note_listening(queues: Iterable[str]) -> None:
    """Note that the consumer asks for messages of these queues."""
    now = time.time()
    _listened_at.update((queue, now) for queue in queues)


def read_listened(queues: Iterable[str]) -> dict[str, float]:
    """Return when this process last listened to those of these queues that it ever did."""
    return {queue: _listened_at[queue] for queue in queues if queue in _listened_at}


def list_deaf(listened_at: Mapping[str, float]) -> list[str]:
    """Return the queues that were last listened to some seconds ago."""
    oldest = time.time() - DEAF_AFTER_SECONDS
    return [queue for queue, at in listened_at.items() if at < oldest]
