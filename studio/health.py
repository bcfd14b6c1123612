"""Whether the database answers, the broker takes messages and workers are alive."""

import json
import os
import socket
import time
from pathlib import Path
from typing import Any, Literal

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from studio.celery import AGENTS_QUEUE

HEARTBEAT_SECONDS = 2.0
_STALE_AFTER_SECONDS = 15.0

Part = Literal["ok", "failing"]


@require_safe
@never_cache
def answer_health(request: HttpRequest) -> JsonResponse:
    """Say which parts work; 503 when one does not. Names no reason: anyone may ask."""
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
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError as error:
        return str(error)
    return None


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
    alive: set[str] = set()
    for path in workers_folder().glob("*.json"):
        try:
            beat = json.loads(path.read_text(encoding="utf-8"))
            age = time.time() - path.stat().st_mtime
        except (OSError, ValueError):
            continue
        if age < _STALE_AFTER_SECONDS and not _is_known_dead(beat):
            alive.update(beat["queues"])
    return alive


def _is_known_dead(beat: dict[str, Any]) -> bool:
    """Say whether the worker ran on this machine and is gone, however fresh its last beat."""
    if beat["host"] != socket.gethostname():
        return False
    try:
        os.kill(beat["pid"], 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False


def workers_folder() -> Path:
    return Path(settings.STUDIO_DATA_DIR) / "workers"
