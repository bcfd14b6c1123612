"""Wake hints between processes: "check again". They carry no data and may be lost.

They use Redis if REDIS_URL is set, NOTIFY on PostgreSQL, else datagrams between sockets in a folder
next to the data. Every listener also polls, so a lost hint costs one poll and no data.
"""

import asyncio
import contextlib
import hashlib
import logging
import os
import secrets
import socket
import tempfile
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Literal, Protocol

import psycopg
import redis
from django.conf import settings
from django.db import DatabaseError, connection

logger = logging.getLogger(__name__)

Topic = Literal["events", "jobs", "people"]
"""`events`: some job's log has grown. `jobs`: a job waits for a worker, or should be cancelled.
`people`: somebody left a project."""

_LONGEST_SOCKET_PATH = 100
_RETRY_SECONDS = 1.0
_LISTEN_SECONDS = 0.25
"""How long a listening thread takes to notice that it should end."""


class Listener(Protocol):
    """Calls back on the event loop after every hint, until closed."""

    def close(self) -> None:
        """End it at once: who closes it may be cancelled before anything could be awaited."""

    async def wait_closed(self) -> None:
        """Wait until nothing of it is left; one that asks a server may take a moment."""


def notify(topic: Topic) -> None:
    """Wake all listeners; call this after the commit. Never fails, never waits long."""
    if settings.REDIS_URL:
        with contextlib.suppress(redis.RedisError, OSError):
            _redis_client().publish(_channel(topic), b"")
    elif connection.vendor == "postgresql":
        with contextlib.suppress(DatabaseError), connection.cursor() as cursor:
            cursor.execute("SELECT pg_notify(%s, '')", [_channel(topic)])
    else:
        _notify_sockets(topic)


def listen(topic: Topic, callback: Callable[[], None]) -> Listener:
    """Have `callback` called on the running event loop after every hint."""
    loop = asyncio.get_running_loop()
    if settings.REDIS_URL:
        return _ThreadListener(loop, callback, lambda stop, wake: _follow_redis(topic, stop, wake))
    if connection.vendor == "postgresql":
        return _ThreadListener(loop, callback, _postgres_follower(topic))
    return _SocketListener(loop, topic, callback)


def _channel(topic: Topic) -> str:
    return f"studio_{topic}"


class _SocketListener:
    """Listens on its own datagram socket in the wake folder."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, topic: Topic, callback: Callable[[], None]
    ) -> None:
        self._loop = loop
        self._callback = callback
        self._path = wake_folder() / f"{topic}-{os.getpid()}-{secrets.token_hex(4)}"
        # Kept here: otherwise the socket, known only to the event loop, is collected, and wakes
        # stop.
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.settimeout(0)
        self._socket.bind(str(self._path))
        loop.add_reader(self._socket, self._read)

    def _read(self) -> None:
        with contextlib.suppress(BlockingIOError):
            while True:
                self._socket.recv(16)
        self._callback()

    def close(self) -> None:
        self._loop.remove_reader(self._socket)
        self._socket.close()
        self._path.unlink(missing_ok=True)

    async def wait_closed(self) -> None:
        return  # nothing is left of it


def wake_folder() -> Path:
    """Return the folder of the sockets; socket addresses are short, so it may be elsewhere."""
    folder = _place_folder(str(settings.STUDIO_DATA_DIR))
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


@cache
def _place_folder(data_folder: str) -> Path:
    data_dir = Path(data_folder)
    folder = data_dir / "wake"
    if len(str(folder)) + 40 > _LONGEST_SOCKET_PATH:
        digest = hashlib.sha256(str(data_dir).encode()).hexdigest()[:12]
        folder = Path(tempfile.gettempdir()) / f"studio-{os.getuid()}-{digest}"
    return folder


def _notify_sockets(topic: Topic) -> None:
    try:
        with os.scandir(_place_folder(str(settings.STUDIO_DATA_DIR))) as entries:
            paths = [entry.path for entry in entries if entry.name.startswith(f"{topic}-")]
    except FileNotFoundError:  # nobody has listened yet
        return
    if not paths:
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
        sender.settimeout(0)
        for path in paths:
            _send_hint(sender, path)


def _send_hint(sender: socket.socket, path: str) -> None:
    try:
        sender.sendto(b"", path)
    except ConnectionRefusedError:  # its process is gone
        Path(path).unlink(missing_ok=True)
    except OSError:  # full or just closed: the listener polls as well
        return


Follow = Callable[[threading.Event, Callable[[], None]], None]


class _ThreadListener:
    """Follows a server from a separate thread and passes the hints on to the event loop."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, callback: Callable[[], None], follow: Follow
    ) -> None:
        self._loop = loop
        self._callback = callback
        self._follow = follow
        self._stopped = threading.Event()
        self._ended = asyncio.Event()
        self._thread = threading.Thread(target=self._run, name="wake", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._follow_until_stopped()
        finally:
            self._call(self._ended.set)

    def _follow_until_stopped(self) -> None:
        while not self._stopped.is_set():
            try:
                self._follow(self._stopped, lambda: self._call(self._callback))
            except (OSError, redis.RedisError, psycopg.Error) as error:
                logger.warning("Wake notifications were interrupted: %s", error)
                self._stopped.wait(_RETRY_SECONDS)

    def _call(self, callback: Callable[[], object]) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(callback)

    def close(self) -> None:
        self._stopped.set()

    async def wait_closed(self) -> None:
        # Not in a thread: several that wait for a server that does not answer would use up the
        # loop's pool.
        await self._ended.wait()
        self._thread.join()


@cache
def _redis_client() -> redis.Redis:
    return redis.Redis.from_url(str(settings.REDIS_URL), socket_timeout=2, socket_connect_timeout=2)


def _follow_redis(topic: Topic, stop: threading.Event, wake: Callable[[], None]) -> None:
    client = redis.Redis.from_url(str(settings.REDIS_URL), socket_timeout=None)
    pubsub = client.pubsub(ignore_subscribe_messages=True)  # type: ignore[no-untyped-call]
    with client, pubsub as subscription:
        subscription.subscribe(_channel(topic))
        while not stop.is_set():
            if subscription.get_message(timeout=_LISTEN_SECONDS) is not None:
                wake()


def _postgres_follower(topic: Topic) -> Follow:
    parameters = connection.get_connection_params()
    for name in ("cursor_factory", "context", "pool"):
        parameters.pop(name, None)

    def follow(stop: threading.Event, wake: Callable[[], None]) -> None:
        with psycopg.connect(**parameters, autocommit=True) as link:
            link.execute(f"LISTEN {_channel(topic)}")
            while not stop.is_set():
                for _ in link.notifies(timeout=_LISTEN_SECONDS, stop_after=1):
                    wake()

    return follow
