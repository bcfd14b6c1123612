"""The operator's desk: what the first page of the admin shows about the studio."""

import platform
from dataclasses import dataclass
from datetime import timedelta
from importlib.metadata import version

import django
from django.conf import settings
from django.db import connection
from django.utils import timezone

from studio.celery import QUEUES
from studio.checks import Finding, run_checks
from studio.draining import KnownWorker, list_known_workers
from studio.sizes import Disk, TableSize, database_bytes, list_table_sizes, measure_disk
from tapes_app.jobs.services.listeners import Listening, read_listening
from tapes_app.jobs.store.numbers import (
    FailureCause,
    QueueNumbers,
    list_failures,
    list_queues,
)
from tapes_app.projects.services.session import read_version

_FAILURES_OF = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Desk:
    findings: tuple[Finding, ...]
    workers: tuple[KnownWorker, ...]
    queues: tuple[tuple[QueueNumbers, Listening], ...]
    failures: tuple[FailureCause, ...]
    disk: Disk
    database_bytes: int
    tables: tuple[TableSize, ...]
    versions: tuple[tuple[str, str], ...]


def read_desk() -> Desk:
    """Read everything that the desk shows."""
    return Desk(
        findings=tuple(run_checks()),
        workers=tuple(list_known_workers()),
        queues=_list_queues(),
        failures=tuple(list_failures(timezone.now() - _FAILURES_OF)),
        disk=measure_disk(),
        database_bytes=database_bytes(),
        tables=tuple(list_table_sizes()),
        versions=_list_versions(),
    )


def _list_queues() -> tuple[tuple[QueueNumbers, Listening], ...]:
    numbers = {one.queue: one for one in list_queues()}
    heard = read_listening(*sorted({*QUEUES, *numbers}))
    return tuple(
        (numbers.get(queue, QueueNumbers(queue)), listening) for queue, listening in heard.items()
    )


def _list_versions() -> tuple[tuple[str, str], ...]:
    return (
        ("Tape Studio", read_version()),
        ("Python", platform.python_version()),
        ("Django", django.get_version()),
        ("Celery", version("celery")),
        ("Broker", "Redis" if settings.REDIS_URL else "folder"),
        _database_version(),
    )


def _database_version() -> tuple[str, str]:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SHOW server_version")
            return "PostgreSQL", str(cursor.fetchone()[0])
        cursor.execute("SELECT sqlite_version()")
        return "SQLite", str(cursor.fetchone()[0])
