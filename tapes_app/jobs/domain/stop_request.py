"""A request to stop that a signal handler can make while its process waits for one."""

from contextlib import suppress
from queue import Empty, SimpleQueue


class StopRequest:
    """Set once, by a signal handler or anybody else, and waited for.

    `threading.Event` is not for signal handlers: its `set` takes a lock that the interrupted `wait`
    of the same thread may hold, and then the process never ends. A `SimpleQueue` is made for it.
    """

    def __init__(self) -> None:
        self._is_set = False
        self._asked = SimpleQueue[None]()

    def set(self) -> None:
        self._is_set = True
        self._asked.put(None)

    def is_set(self) -> bool:
        return self._is_set

    def wait(self, seconds: float) -> bool:
        """Wait until it is set, or for some seconds; return whether it is set."""
        if not self._is_set:
            with suppress(Empty):
                self._asked.get(timeout=seconds)
        return self._is_set
