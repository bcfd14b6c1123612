"""Detects, from a thread, what blocks the event loop that all jobs of a worker share."""

import asyncio
import logging
import sys
import threading
import time
import traceback
from collections.abc import Callable, Coroutine, Generator
from contextlib import suppress
from types import FrameType
from typing import Any, ClassVar

from tapes_app.engine.agent.node_code import name_node
from tapes_app.engine.agent.selection import Selection
from tapes_app.engine.code_mistakes import pick_lines

_Place = tuple[FrameType, int | None]

logger = logging.getLogger(__name__)

ASK_SECONDS = 0.2
"""How often to check whether the loop still turns."""

BLOCKED_SECONDS = 0.7
"""A loop that has not answered for this long is blocked."""


HAND_OVER_SECONDS = 2.0
"""When a job's own code has blocked its loop for this long, the loop's other jobs move
elsewhere."""


class LoopWatch:
    """Watches one loop from its creation, in that loop's thread, until it is closed.

    `hand_over` is called once each time a task blocks the loop for long, with the name of that
    task, in the watch's thread.
    """

    _watches: ClassVar[set["LoopWatch"]] = set()
    """The watches of this process. A second loop is started when one is blocked."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, hand_over: Callable[[str], None] | None = None
    ) -> None:
        self._loop = loop
        self._hand_over = hand_over
        self._blocked_since: float | None = None
        self._thread_id = threading.get_ident()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="loop watch", daemon=True)
        self._watches.add(self)
        self._thread.start()

    def close(self) -> None:
        self._closed.set()
        self._watches.discard(self)

    def _watch(self) -> None:
        with suppress(RuntimeError):  # the loop has been closed
            while not self._closed.wait(ASK_SECONDS):
                answered = threading.Event()
                self._loop.call_soon_threadsafe(answered.set)
                if not answered.wait(BLOCKED_SECONDS) and not self._closed.is_set():
                    self._blocked_since = time.monotonic()
                    self._report()
                    self._wait_long_for(answered)
                self._blocked_since = None

    def _wait_long_for(self, answered: threading.Event) -> None:
        """Wait until the loop turns again; the block has been reported, however long it lasts."""
        if answered.wait(HAND_OVER_SECONDS - BLOCKED_SECONDS) or self._closed.is_set():
            return
        task = asyncio.current_task(self._loop)
        if task is not None and self._hand_over is not None:
            self._hand_over(task.get_name())
        while not answered.wait(ASK_SECONDS) and not self._closed.is_set():
            pass

    @classmethod
    def seconds_blocked(cls) -> float:
        """Return how long a loop of this process has not turned; 0 if all turn."""
        blocked_since = [watch._blocked_since for watch in list(cls._watches)]
        return max(
            (time.monotonic() - since for since in blocked_since if since is not None), default=0.0
        )

    def _list_frames(self) -> list[_Place]:
        """Return the current frames of the loop, the outermost first."""
        frame = sys._current_frames().get(self._thread_id)
        way: list[_Place] = [] if frame is None else [*traceback.walk_stack(frame)]
        return way[::-1]

    def _report(self) -> None:
        frames = self._list_frames()
        if not frames:
            return
        who, way = _find_node(frames)
        lines = pick_lines(way)
        where = f"{lines[-1]['file']}, line {lines[-1]['line']}" if lines else "location unknown"
        if who:
            logger.warning(
                "%s has blocked the worker for %s s (%s). Await slow operations, or make them a "
                "tool. After %s s the other runs continue without it.",
                who,
                BLOCKED_SECONDS,
                where,
                HAND_OVER_SECONDS,
            )
        else:
            logger.info("The worker has been blocked for %s s (%s).", BLOCKED_SECONDS, where)


def _find_node(way: list[_Place]) -> tuple[str, list[_Place]]:
    """Return the node whose code runs, and its frames; if there is none, "" and all frames."""
    for index, (frame, _) in enumerate(way):
        selection = frame.f_locals.get("selection")
        if isinstance(selection, Selection):
            return name_node(selection), way[index:]
    return "", way


def name_after_parent(
    loop: asyncio.AbstractEventLoop,
    coroutine: Coroutine[Any, Any, Any] | Generator[Any, None, Any],
    **options: Any,
) -> asyncio.Task[Any]:
    """Create tasks named after their owner: the name of the task that starts them."""
    task = asyncio.Task(coroutine, loop=loop, **options)
    if (parent := asyncio.current_task(loop)) is not None:
        task.set_name(parent.get_name())
    return task
