"""Finds out, from a thread, what blocks the event loop that all jobs of a worker share."""

import asyncio
import logging
import sys
import threading
import time
import traceback
from contextlib import suppress
from types import FrameType

from tapes_app.engine.code_mistakes import pick_lines
from tapes_app.engine.node_code import name_node
from tapes_app.engine.selection import Selection

_Place = tuple[FrameType, int]

logger = logging.getLogger(__name__)

ASK_SECONDS = 0.2
"""How often the loop is asked whether it still turns."""

BLOCKED_SECONDS = 0.7
"""A loop that has not answered for so long is blocked."""


class LoopWatch:
    """Watches one loop from when it is made, in the thread of that loop, until it is closed."""

    blocked_since: float | None = None
    """When the one that blocks now was found; of this process, whose jobs share one loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._thread_id = threading.get_ident()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="loop watch", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._closed.set()

    def _watch(self) -> None:
        with suppress(RuntimeError):  # the loop has been closed
            while not self._closed.wait(ASK_SECONDS):
                answered = threading.Event()
                self._loop.call_soon_threadsafe(answered.set)
                if not answered.wait(BLOCKED_SECONDS) and not self._closed.is_set():
                    LoopWatch.blocked_since = time.monotonic()
                    self._tell()
                while not answered.wait(ASK_SECONDS) and not self._closed.is_set():
                    pass  # told once, however long it lasts
                LoopWatch.blocked_since = None

    @staticmethod
    def seconds_blocked() -> float:
        """Return for how long the loop of this process has not turned; 0 where it does."""
        since = LoopWatch.blocked_since
        return 0.0 if since is None else time.monotonic() - since

    def _tell(self) -> None:
        frame = sys._current_frames().get(self._thread_id)
        if frame is None:
            return
        who, way = _find_node(list(traceback.walk_stack(frame))[::-1])
        lines = pick_lines(way)
        where = f"{lines[-1]['file']}, line {lines[-1]['line']}" if lines else "nobody knows where"
        if who:
            logger.warning(
                "%s has blocked the worker for %s s (%s): its other runs wait. Await what takes "
                "long, or make it a tool.",
                who,
                BLOCKED_SECONDS,
                where,
            )
        else:
            logger.info("The worker has been blocked for %s s (%s).", BLOCKED_SECONDS, where)


def _find_node(way: list[_Place]) -> tuple[str, list[_Place]]:
    """Return which node's code is at work and its part of the way; empty, and all, when none is."""
    for index, (frame, _) in enumerate(way):
        selection = frame.f_locals.get("selection")
        if isinstance(selection, Selection):
            return name_node(selection), way[index:]
    return "", way
