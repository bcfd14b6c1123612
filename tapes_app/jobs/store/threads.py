"""Threads for blocking work (database, files) next to an event loop."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from django.db import connection

P = ParamSpec("P")
T = TypeVar("T")


class Threads:
    """A few threads; on SQLite, each keeps its database connection between calls."""

    def __init__(self, count: int, *, name: str) -> None:
        self._executor = ThreadPoolExecutor(count, thread_name_prefix=name)

    async def run(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Call a blocking function and wait for it without blocking the loop."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._executor, lambda: _call(function, *args, **kwargs))

    def close(self) -> None:
        self._executor.shutdown(cancel_futures=True)


def _call(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    try:
        return function(*args, **kwargs)
    finally:
        if connection.vendor != "sqlite":
            connection.close()  # return it to the pool
