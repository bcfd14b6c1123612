"""Whether the database answers, the broker takes messages and workers are alive."""

import json
import os
import socket
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import psycopg
import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from studio.celery import AGENTS_QUEUE
from studio.databases import describe_server
from tapes_app.management.shell import first_line

HEARTBEAT_SECONDS = 2.0
_STALE_AFTER_SECONDS = 15.0
_CONNECT_SECONDS = 3

Part = Literal["ok", "failing"]


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


@require_safe
@never_cache
def answer_health(request: HttpRequest) -> JsonResponse:
    """Report which parts work; 503 if one does not. Gives no reasons, as anyone may ask."""
    parts = check_parts()
    is_green = all(state == "ok" for state in parts.values())
    body = {"status": "ok" if is_green else "failing", "parts": parts}
    return JsonResponse(body, status=200 if is_green else 503)


def check_parts() -> dict[str, Part]:
    return {
        "database": "ok" if explain_database() is None else "failing",
        "broker": "ok" if explain_broker() is None else "failing",
        "worker": "ok" if AGENTS_QUEUE in list_live_queues() else "failing",
    }


def explain_database() -> str | None:
    """Return what is wrong with the database, or None."""
    try:
        if connection.vendor == "postgresql":
            _ask_server()
        else:
            with connection.cursor() as cursor:
                cursor.execute("SELECT count(*) FROM sqlite_master")
    except (DatabaseError, psycopg.Error) as error:
        return first_line(error)
    return None


def _ask_server() -> None:
    """Use a separate connection, as the pool waits long for a server that may come back."""
    settings = connection.settings_dict
    with psycopg.connect(
        describe_server(settings),
        password=settings["PASSWORD"] or None,
        connect_timeout=_CONNECT_SECONDS,
    ) as asked:
        asked.execute("SELECT 1")


def explain_broker() -> str | None:
    """Return what is wrong with the broker, or None."""
    if settings.REDIS_URL:
        try:
            redis.Redis.from_url(settings.REDIS_URL, socket_connect_timeout=2).ping()
        except redis.RedisError as error:
            return str(error)
        return None
    folder = Path(settings.CELERY_BROKER_TRANSPORT_OPTIONS["data_folder_in"])
    is_usable = folder.is_dir() and os.access(folder, os.W_OK)
    return None if is_usable else f"{folder} is missing or not writable."


def list_live_queues() -> set[str]:
    """Return the queues that have a worker whose heartbeat is fresh."""
    return {queue for worker in list_workers() if worker.is_alive for queue in worker.queues}


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
