"""The hub: one tailer per web process that reads the event logs for all its browsers.

A browser's catch-up and its live events come from the same query, so nothing can be lost or
duplicated between them. Each subscriber has its own number and a bounded backlog; the hub does not
wait for one that does not read.
"""

import asyncio
import logging
import math
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from uuid import UUID
from weakref import WeakKeyDictionary

from django.db import DatabaseError, InterfaceError, connection

from tapes_app.jobs.domain.protocol import Ping, encode_control, frame_event
from tapes_app.jobs.store.log import LoggedEvent, find_watchable, read_events
from tapes_app.jobs.store.threads import Threads
from tapes_app.jobs.store.wake import Listener, listen, notify
from tapes_app.projects.services.members import on_leaving

logger = logging.getLogger(__name__)

POLL_SECONDS = 0.5
"""How often the logs are read when no hint arrives."""

MAX_BACKLOG_EVENTS = 2_000
MAX_BACKLOG_CHARACTERS = 8_000_000
PING_SECONDS = 0.5
"""How long a browser receives nothing before it is sent a ping.

With the wait between two reads, that is a second at most: a page reports silence after two."""

STALLED_SECONDS = 20.0
"""How long a browser may read nothing before its connection is closed."""

LEFT_SECONDS = 5.0
"""How often permission to watch is checked when no hint reports that somebody left a project."""

_EVENTS_PER_QUERY = 2_000
_MAX_CURSORS = 400
"""Jobs in one query; SQLite limits the number of placeholders."""


_PING = encode_control(Ping())


class TooSlowError(Exception):
    """The browser reads too slowly; it reconnects with its last number."""


class LeftError(Exception):
    """The person has left the job's project in the meantime."""


class Subscription:
    """What is still to be sent to one browser about one job."""

    def __init__(
        self,
        job_id: UUID,
        after: int,
        on_room: Callable[[], None] = lambda: None,
        *,
        user_id: int | None = None,
    ) -> None:
        self.job_id = job_id
        self.user_id = user_id
        """The person who watches; `None`: permission is never checked."""

        self.fetched_seq = after
        """Number of the newest event in the backlog or sent."""

        self._on_room = on_room
        self._frames: deque[str] = deque()
        self._characters = 0
        self._waiter: asyncio.Future[None] | None = None
        self._taken_at = time.monotonic()
        self.is_stalled = False
        self.has_left = False

    @property
    def has_room(self) -> bool:
        return len(self._frames) < MAX_BACKLOG_EVENTS and self._characters < MAX_BACKLOG_CHARACTERS

    def push(self, event: LoggedEvent) -> None:
        frame = frame_event(event.seq, event.payload)
        if not self._frames:
            self._taken_at = time.monotonic()
        self._frames.append(frame)
        self._characters += len(frame)
        self.fetched_seq = event.seq
        self._wake()

    def tend(self) -> None:
        """Send a ping after a long silence; give up a browser that does not read."""
        silence = time.monotonic() - self._taken_at
        if self._frames and silence > STALLED_SECONDS:
            self.is_stalled = True
            self._wake()
        elif not self._frames and silence > PING_SECONDS:
            self._frames.append(_PING)
            self._wake()

    def leave(self) -> None:
        self.has_left = True
        self._wake()

    async def next_frames(self) -> list[str]:
        """Wait for frames to send.

        Raises:
            LeftError: the person may not watch any more.
            TooSlowError: frames waited here too long without being read.
        """
        if not self._frames and not self.is_stalled and not self.has_left:
            # A bare future: this wait ends several thousand times a second.
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        if self.has_left:
            raise LeftError
        if self.is_stalled:
            raise TooSlowError
        was_full = not self.has_room
        frames = list(self._frames)
        self._frames.clear()
        self._characters = 0
        self._taken_at = time.monotonic()
        if was_full:
            self._on_room()  # no hint announces what was left unread in the meantime
        return frames

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)


class Hub:
    """Reads the logs of all subscribed jobs; runs while there are subscribers."""

    def __init__(self) -> None:
        self._subscriptions: set[Subscription] = set()
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._closing: set[asyncio.Task[None]] = set()
        """Tasks that read no more; to close what they opened may take them long."""

        self._threads: Threads | None = None
        self._data_version = -1
        self._has_news = False
        self._people_seen_at = -math.inf

    def subscribe(self, job_id: UUID, *, after: int, user_id: int | None = None) -> Subscription:
        """Subscribe to a job; `user_id`: the watching person, who may leave its project."""
        subscription = Subscription(job_id, after, self._look_again, user_id=user_id)
        self._subscriptions.add(subscription)
        self._look_again()
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._tail(), name="hub")
        return subscription

    def unsubscribe(self, subscription: Subscription) -> None:
        self._subscriptions.discard(subscription)
        if not self._subscriptions:
            self._changed.set()

    def _look_again(self) -> None:
        self._has_news = True
        self._changed.set()

    async def _tail(self) -> None:
        # One thread: only its connection's `data_version` shows writes by the others.
        self._threads = threads = Threads(1, name="hub")
        self._data_version = -1
        listeners: list[Listener] = []
        try:
            listeners.append(listen("events", self._look_again))
            listeners.append(listen("people", self._look_who_left))
            await self._serve()
        finally:
            self._make_room()
            for one in listeners:
                one.close()
            try:
                for one in listeners:
                    await one.wait_closed()
            finally:
                threads.close()

    def _make_room(self) -> None:
        """Let the next subscriber start another task, which does not wait until this one closed."""
        if self._task is not None:
            self._closing.add(self._task)
            self._task.add_done_callback(self._closing.discard)
        self._task = None

    async def _serve(self) -> None:
        while self._subscriptions:
            self._changed.clear()
            await self._end_for_those_who_left()
            is_hinted, self._has_news = self._has_news, False
            if await self._read_once(is_hinted=is_hinted):
                self._has_news = True  # the query was full: there may be more right now
                continue
            for subscription in self._subscriptions:
                subscription.tend()
            if not self._has_news:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._changed.wait(), POLL_SECONDS)

    def _look_who_left(self) -> None:
        self._people_seen_at = -math.inf
        self._changed.set()

    async def _end_for_those_who_left(self) -> None:
        """Close the streams of people in projects that they are no longer in."""
        now = time.monotonic()
        if now - self._people_seen_at < LEFT_SECONDS:
            return
        self._people_seen_at = now
        watchers = [(one, (one.user_id, one.job_id)) for one in self._subscriptions]
        known = {(user, job) for _, (user, job) in watchers if user is not None}
        if not known:
            return
        assert self._threads is not None
        try:
            watchable = await self._threads.run(find_watchable, known)
        except (DatabaseError, InterfaceError) as error:
            logger.warning("It could not be checked who may watch: %s", error)
            return
        for one, (user, job) in watchers:
            if user is not None and (user, job) not in watchable:
                one.leave()

    async def _read_once(self, *, is_hinted: bool) -> bool:
        """Read once for all subscribers with room; return whether there may be more right away."""
        assert self._threads is not None
        hungry = [one for one in self._subscriptions if one.has_room]
        cursors: dict[UUID, int] = {}
        for one in hungry:
            cursors[one.job_id] = min(one.fetched_seq, cursors.get(one.job_id, one.fetched_seq))
        try:
            events = await self._threads.run(self._read, cursors, is_hinted=is_hinted)
        except (DatabaseError, InterfaceError) as error:
            logger.warning("Event logs cannot be read: %s", error)
            return False
        by_job: dict[UUID, list[Subscription]] = {}
        for one in hungry:
            by_job.setdefault(one.job_id, []).append(one)
        for event in events:
            for one in by_job[event.job_id]:
                if event.seq > one.fetched_seq:
                    one.push(event)
        return len(events) >= _EVENTS_PER_QUERY

    def _read(self, cursors: dict[UUID, int], *, is_hinted: bool) -> list[LoggedEvent]:
        if not is_hinted and not self._may_have_changed():
            return []
        events: list[LoggedEvent] = []
        wanted = list(cursors.items())
        for start in range(0, len(wanted), _MAX_CURSORS):
            part = dict(wanted[start : start + _MAX_CURSORS])
            events += read_events(part, limit=_EVENTS_PER_QUERY)
        return events

    def _may_have_changed(self) -> bool:
        """Ask SQLite whether another connection has written since the last time."""
        if connection.vendor != "sqlite":
            return True
        with connection.cursor() as cursor:
            version = cursor.execute("PRAGMA data_version").fetchone()[0]
        is_same, self._data_version = version == self._data_version, version
        return not is_same


_HUBS: WeakKeyDictionary[asyncio.AbstractEventLoop, Hub] = WeakKeyDictionary()


def get_hub() -> Hub:
    """Return the hub of the running event loop: one per web process."""
    loop = asyncio.get_running_loop()
    hub = _HUBS.get(loop)
    if hub is None:
        hub = _HUBS[loop] = Hub()
    return hub


on_leaving(lambda: notify("people"))
