"""Whether the database answers, the broker takes messages, workers are alive, the disk has room."""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import psycopg
import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from studio.celery import AGENTS_QUEUE, QUEUES
from studio.databases import describe_server
from tapes_app.jobs.services.listeners import Listening, read_listening
from tapes_app.management.shell import first_line

_CONNECT_SECONDS = 3
_FULL = 1024**2
"""In bytes: with less, hardly anything can be stored. Uploads are refused much earlier."""

Part = Literal["ok", "failing"]


@require_safe
@never_cache
def answer_health(request: HttpRequest) -> JsonResponse:
    """Report which parts work, and how many seconds ago a worker listened to each queue.

    503 if a part does not work. Gives no reasons, as anyone may ask.
    """
    heard = read_listening(*QUEUES)
    parts = check_parts(heard)
    is_green = all(state == "ok" for state in parts.values())
    body = {
        "status": "ok" if is_green else "failing",
        "parts": parts,
        "listened_seconds_ago": {
            queue: None if listening.seconds_ago is None else round(listening.seconds_ago, 1)
            for queue, listening in heard.items()
        },
    }
    return JsonResponse(body, status=200 if is_green else 503)


def check_parts(heard: Mapping[str, Listening]) -> dict[str, Part]:
    return {
        "database": "ok" if explain_database() is None else "failing",
        "broker": "ok" if explain_broker() is None else "failing",
        "worker": "ok" if heard[AGENTS_QUEUE].is_heard else "failing",
        "disk": "ok" if shutil.disk_usage(settings.STUDIO_DATA_DIR).free > _FULL else "failing",
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
