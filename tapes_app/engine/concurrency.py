"""Run many agent loops concurrently in one process, up to a limit."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import TypeVar

Result = TypeVar("Result")
Task = Callable[[], Awaitable[Result]]


async def run_concurrently(
    tasks: Iterable[Task[Result]], *, limit: int
) -> AsyncIterator[tuple[int, Result | Exception]]:
    """Run tasks, at most `limit` at a time; yield the number and result of each as it finishes.

    A failing task yields its exception and stops no other. `tasks` may be endless or lazy: a task
    is taken only when there is room. Closing the iterator cancels the running tasks.
    """
    if limit < 1:
        raise ValueError(f"limit must be at least 1, not {limit}")
    waiting = enumerate(tasks)
    running: dict[asyncio.Future[Result], int] = {}
    try:
        while True:
            while len(running) < limit:
                item = next(waiting, None)
                if item is None:
                    break
                number, task = item
                running[asyncio.ensure_future(task())] = number
            if not running:
                return
            done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
            for future in done:
                number = running.pop(future)
                error = future.exception()
                if error is None:
                    yield number, future.result()
                elif isinstance(error, Exception):
                    yield number, error
                else:
                    raise error
    finally:
        for future in running:
            future.cancel()
        await asyncio.gather(*running, return_exceptions=True)
