"""Threads of plain functions: they cannot be stopped, so abandoned ones are counted."""

import asyncio
import contextvars
import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

MAX_ABANDONED = 16
"""With this many abandoned threads, a process blocks everything else in it."""

logger = logging.getLogger(__name__)

_left: dict[threading.Thread, str] = {}
"""Abandoned threads that are still running, with the names of their tools."""

_lock = threading.Lock()


def list_abandoned() -> list[str]:
    """Return the tools whose threads were abandoned and still run, one name per thread."""
    with _lock:
        return [name for thread, name in _left.items() if thread.is_alive()]


def is_worn_out() -> bool:
    """Return whether this process should be replaced: too many of its threads never end."""
    return len(_left) >= MAX_ABANDONED and len(list_abandoned()) >= MAX_ABANDONED


async def call_in_thread(function: Callable[[], Any], *, name: str) -> Any:
    """Call a function in a new thread that dies with the process.

    Abandoned calls that never end would use up the threads of a pool and delay the end of the
    process.
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
        with suppress(RuntimeError):  # the call was abandoned and its loop is closed
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
        len(list_abandoned()),
    )
