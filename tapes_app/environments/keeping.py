"""Environments that stay open for longer than a run, in the event loop of one worker."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from tapes_app.engine.environment.environment import Environment
from tapes_app.engine.environment.opening import RunContext, open_for_run
from tapes_app.engine.errors import StudioError

IDLE_SECONDS = 600.0
"""How long an environment stays open that no run uses, such as while one waits for a person. A run
that comes later opens it again, with the state of its tape."""

_Key = tuple[str, ...]


@dataclass(slots=True)
class _Kept:
    """An open environment, held by a task: some must be closed by the task that opened them."""

    session: Environment
    holder: asyncio.Task[None]
    closing: asyncio.Event
    user_count: int = 0
    idle_since: float = 0.0
    is_doubtful: bool = False
    """A run on its branch was cut off, so what it did last may not be on the tape."""


class KeptEnvironments:
    """Opens environments for runs, and keeps those that live longer for the next one."""

    def __init__(self, *, idle_seconds: float | None = None) -> None:
        self._idle_seconds = IDLE_SECONDS if idle_seconds is None else idle_seconds
        self._kept: dict[_Key, _Kept] = {}
        self._locks: defaultdict[_Key, asyncio.Lock] = defaultdict(asyncio.Lock)
        """Held while one is opened or closed, so that no two are open for the same."""

        self._closing: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def open(self, environment: Environment, run: RunContext) -> AsyncIterator[Environment]:
        key = _identify(environment, run)
        if key is None:
            async with open_for_run(environment, run) as session:
                yield session
            return
        kept = await self._join(key, environment, run)
        try:
            yield kept.session
        except BaseException:
            kept.is_doubtful = environment.lifetime == "branch"
            raise
        finally:
            kept.user_count -= 1
            kept.idle_since = asyncio.get_running_loop().time()

    async def tidy(self) -> bool:
        """Begin to close what was idle for long; return whether anything is still open."""
        now = asyncio.get_running_loop().time()
        for key, kept in list(self._kept.items()):
            is_old = not kept.user_count and now - kept.idle_since > self._idle_seconds
            if (is_old or kept.holder.done()) and not self._locks[key].locked():
                closing = asyncio.create_task(self._close_unused(key), name="close environments")
                self._closing.add(closing)
                closing.add_done_callback(self._closing.discard)
        for key in [key for key, lock in self._locks.items() if not lock.locked()]:
            if key not in self._kept:
                del self._locks[key]
        return bool(self._kept)

    async def close(self) -> None:
        await asyncio.gather(*self._closing)
        for key in list(self._kept):
            await self._end(key)

    async def _close_unused(self, key: _Key) -> None:
        async with self._locks[key]:
            if key in self._kept and not self._kept[key].user_count:
                await self._end(key)

    async def _join(self, key: _Key, environment: Environment, run: RunContext) -> _Kept:
        async with self._locks[key]:
            kept = self._kept.get(key)
            if kept is not None and (
                kept.is_doubtful or kept.holder.done() or await kept.session.check_health()
            ):
                await self._end(key)
                kept = None
            if kept is None:
                kept = self._kept[key] = await _start(environment, run)
            kept.user_count += 1
            return kept

    async def _end(self, key: _Key) -> None:
        kept = self._kept.pop(key)
        kept.closing.set()
        await asyncio.wait([kept.holder])


async def _start(environment: Environment, run: RunContext) -> _Kept:
    closing = asyncio.Event()
    opened: asyncio.Future[Environment] = asyncio.get_running_loop().create_future()
    name = f"environment {environment.name}"
    holder = asyncio.create_task(_hold(environment, run, opened, closing), name=name)
    try:
        return _Kept(await opened, holder, closing)
    except asyncio.CancelledError:
        holder.cancel()
        raise


async def _hold(
    environment: Environment,
    run: RunContext,
    opened: asyncio.Future[Environment],
    closing: asyncio.Event,
) -> None:
    try:
        async with open_for_run(environment, run) as session:
            opened.set_result(session)
            await closing.wait()
    except StudioError as error:
        if not opened.done():
            opened.set_exception(error)


def _identify(environment: Environment, run: RunContext) -> _Key | None:
    """Return what runs must share to share an environment; `None`: each opens its own.

    Projects share nothing, and neither do environments that no settings identify.
    """
    if environment.lifetime == "run" or not environment.identity or run.place is None:
        return None
    key = (str(run.place.project_id), environment.identity)
    return (*key, run.tape.metadata.id) if environment.lifetime == "branch" else key
