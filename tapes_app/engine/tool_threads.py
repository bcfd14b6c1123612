"""Threads of plain functions: nobody can end one, so those that were given up are counted."""

import asyncio
import contextvars
import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

MOST_LEFT_BEHIND = 16
"""So many threads that nobody waits for hold up everything else in their process."""

logger = logging.getLogger(__name__)

_left: dict[threading.Thread, str] = {}
"""Threads that nobody waits for any more and that still run, with the names of their tools."""

_lock = threading.Lock()


def left_behind() -> list[str]:
    """Return the tools whose threads were given up and still run, one name for each thread."""
    with _lock:
        return [name for thread, name in _left.items() if thread.is_alive()]


def is_worn_out() -> bool:
    """Tell whether this process should be replaced: too many of its threads never end."""
    return len(_left) >= MOST_LEFT_BEHIND and len(left_behind()) >= MOST_LEFT_BEHIND


async def call_in_thread(function: Callable[[], Any], *, name: str) -> Any:
    """Call a function in a thread of its own that dies with the process.

    Threads of a pool would be used up by calls that were given up and never end, and hold up
    the end of the process.
    """
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[tuple[Any, BaseException | None]] = loop.create_future()
    context = contextvars.copy_context()

    def settle(result: Any, error: BaseException | None) -> None:
        if not ended.done():
            ended.set_result((result, error))

    def run() -> None:
        result, failure = None, None
        try:
            result = context.run(function)
        except BaseException as error:  # noqa: BLE001 - raised again where the call is awaited
            failure = error
        with _lock:
            _left.pop(threading.current_thread(), None)
        with suppress(RuntimeError):  # the call was given up and its loop is closed
            loop.call_soon_threadsafe(settle, result, failure)

    thread = threading.Thread(target=run, name=f"tool-{name}", daemon=True)
    thread.start()
    try:
        result, failure = await ended
    except asyncio.CancelledError:
        _give_up(thread, name)
        raise
    if isinstance(failure, Exception):
        raise failure
    if failure is not None:  # a tool that calls `exit` ends itself, not the worker
        raise RuntimeError(f"{type(failure).__name__}: {failure}") from failure
    return result


def _give_up(thread: threading.Thread, name: str) -> None:
    with _lock:
        if thread.is_alive():
            _left[thread] = name
    logger.warning(
        "Tool %r was given up and still runs in its thread; %d such threads run here. "
        "Have it end by itself: ask its ToolContext whether it is cancelled.",
        name,
        len(left_behind()),
    )
