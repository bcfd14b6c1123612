"""Workers as their heartbeats describe them: a file for each, which it touches while it works.

With Redis as the broker, they are also in a hash there, for the other machines.
"""

import json
import os
import socket
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import redis
from django.conf import settings
from redis.backoff import NoBackoff
from redis.retry import Retry

HEARTBEAT_SECONDS = 2.0
_STALE_AFTER_SECONDS = 15.0
_FORGOTTEN_AFTER_SECONDS = 3600.0
"""Of workers on other machines, which nobody here can see end."""

_REDIS_KEY = "studio:workers"
_REDIS_SECONDS = 2


@dataclass(frozen=True, slots=True)
class Worker:
    """A worker, as described by its heartbeat."""

    host: str
    pid: int
    listened_seconds: Mapping[str, float]
    """Since it last listened to each of its queues."""

    beat_seconds: float
    """Since its last beat."""

    is_alive: bool
    is_gone: bool
    """Its process ran on this machine and has ended."""

    memory_bytes: int | None
    """`None`: it runs on another machine, or the system does not report it."""

    @property
    def name(self) -> str:
        """The name under which it holds jobs."""
        return f"{self.host}:{self.pid}"

    @property
    def queues(self) -> tuple[str, ...]:
        """The queues for which it was started, whether or not it still listens to them."""
        return tuple(sorted(self.listened_seconds))

    def hears(self, queue: str) -> bool:
        """Return whether it listens to a queue now."""
        seconds = self.listened_seconds.get(queue)
        return seconds is not None and seconds < _STALE_AFTER_SECONDS and not self.is_gone


def list_workers() -> list[Worker]:
    """Return the workers with a heartbeat, sorted by name."""
    beats = [_describe(beat) for beat in (*_read_redis(), *_read_files())]
    by_name = {worker.name: worker for worker in beats}  # this machine's file is the newest
    return [by_name[name] for name in sorted(by_name)]


def write_beat(host: str, pid: int, listened_at: Mapping[str, float]) -> None:
    """Store when a worker last listened to each of its queues, in Unix time."""
    now = time.time()
    beat = json.dumps({"host": host, "pid": pid, "at": now, "queues": listened_at})
    path = beat_path(host, pid)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")  # renamed, so that readers never find half a file
    part.write_text(beat, encoding="utf-8")
    part.replace(path)
    if settings.REDIS_URL:
        with suppress(redis.RedisError):  # it has its own part of `/healthz`
            _redis_client().hset(_REDIS_KEY, f"{host}:{pid}", beat)


def remove_beat(host: str, pid: int) -> None:
    """Forget a worker that ends."""
    beat_path(host, pid).unlink(missing_ok=True)
    if settings.REDIS_URL:
        with suppress(redis.RedisError):
            _redis_client().hdel(_REDIS_KEY, f"{host}:{pid}")


def beat_path(host: str, pid: int) -> Path:
    return workers_folder() / f"{host}-{pid}.json"


def _read_files() -> Iterator[dict[str, Any]]:
    for path in workers_folder().glob("*.json"):
        with suppress(OSError, ValueError):
            yield json.loads(path.read_text(encoding="utf-8"))


def _read_redis() -> Iterator[dict[str, Any]]:
    """Yield what workers of all machines tell; nothing without Redis, or while it is away."""
    if not settings.REDIS_URL:
        return
    client = _redis_client()
    with suppress(redis.RedisError):
        for name, text in client.hgetall(_REDIS_KEY).items():
            beat = json.loads(text)
            if time.time() - beat["at"] < _FORGOTTEN_AFTER_SECONDS:
                yield beat
            else:
                client.hdel(_REDIS_KEY, name)


def _describe(beat: dict[str, Any]) -> Worker:
    now = time.time()
    age = max(0.0, now - beat["at"])
    is_here = beat["host"] == socket.gethostname()
    is_gone = is_here and not _is_running(beat["pid"])
    return Worker(
        host=beat["host"],
        pid=beat["pid"],
        listened_seconds={queue: max(0.0, now - at) for queue, at in beat["queues"].items()},
        beat_seconds=age,
        is_alive=age < _STALE_AFTER_SECONDS and not is_gone,
        is_gone=is_gone,
        memory_bytes=_memory_of(beat["pid"]) if is_here else None,
    )


def _redis_client() -> redis.Redis:
    return redis.Redis.from_url(
        str(settings.REDIS_URL),
        socket_timeout=_REDIS_SECONDS,
        socket_connect_timeout=_REDIS_SECONDS,
        retry=Retry(NoBackoff(), 0),  # a heartbeat that waits long is taken for a stuck worker
        decode_responses=True,
    )


def _memory_of(pid: int) -> int | None:
    """Return the memory in use by a process of this machine, if the system reports it."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def workers_folder() -> Path:
    return Path(settings.STUDIO_DATA_DIR) / "workers"
