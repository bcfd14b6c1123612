"""Workers as their heartbeats describe them: a file for each, which it touches while it works."""

import json
import os
import socket
import time
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

HEARTBEAT_SECONDS = 2.0
_STALE_AFTER_SECONDS = 15.0


@dataclass(frozen=True, slots=True)
class Worker:
    """A worker, as described by its heartbeat."""

    host: str
    pid: int
    queues: tuple[str, ...]
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


def list_live_queues() -> set[str]:
    """Return the queues that have a worker whose heartbeat is fresh."""
    return {queue for worker in list_workers() if worker.is_alive for queue in worker.queues}


def list_known_queues() -> set[str] | None:
    """Return the queues that a worker listens to; `None` if they are not known.

    With Redis as the broker, workers of other machines listen too, of which nothing is known here.
    """
    return None if settings.REDIS_URL else list_live_queues()


def list_workers() -> list[Worker]:
    """Return the workers with a heartbeat, sorted by name."""
    found = []
    for path in sorted(workers_folder().glob("*.json")):
        try:
            beat = json.loads(path.read_text(encoding="utf-8"))
            age = time.time() - path.stat().st_mtime
        except (OSError, ValueError):
            continue
        is_here = beat["host"] == socket.gethostname()
        is_gone = is_here and not _is_running(beat["pid"])
        found.append(
            Worker(
                host=beat["host"],
                pid=beat["pid"],
                queues=tuple(beat["queues"]),
                beat_seconds=max(0.0, age),
                is_alive=age < _STALE_AFTER_SECONDS and not is_gone,
                is_gone=is_gone,
                memory_bytes=_memory_of(beat["pid"]) if is_here else None,
            )
        )
    return found


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
