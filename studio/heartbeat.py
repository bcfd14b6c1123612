"""A file per worker, written while the worker makes progress, which `/healthz` reads."""

import logging
import os
import socket
import threading
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, InterfaceError

from studio.listening import list_deaf, note_listening, read_listened
from tapes_app.jobs.domain.worker_name import own_name
from tapes_app.jobs.services.loop_watch import LoopWatch
from tapes_app.jobs.store.draining import undrain
from tapes_app.jobs.store.workers import HEARTBEAT_SECONDS, remove_beat, write_beat

logger = logging.getLogger(__name__)

HELD_UP_SECONDS = 8.0
"""An event loop blocked this long counts as stuck, and its worker sends no heartbeat."""


class Heartbeat:
    """Writes the worker's file every few seconds from a separate thread.

    It stops while the event loop of its jobs is blocked: then nobody's work gets done. The file
    says when the worker last listened to each of its queues. Once one of them is deaf, the file is
    written no more, so that the worker is replaced; with Redis it is, as all workers are deaf while
    Redis is away, and would lose their runs.
    """

    def __init__(self, queues: list[str]) -> None:
        self._host, self._pid = socket.gethostname(), os.getpid()
        self._queues = queues
        self._deaf: list[str] = []
        self._stopped = threading.Event()

    def start(self) -> None:
        note_listening(self._queues)  # the worker is ready
        threading.Thread(target=self._beat, name="heartbeat", daemon=True).start()

    def stop(self) -> None:
        self._stopped.set()
        remove_beat(self._host, self._pid)

    def _beat(self) -> None:
        while not self._stopped.is_set():
            if LoopWatch.seconds_blocked() < HELD_UP_SECONDS:
                self._write_unless_deaf()
            self._stopped.wait(HEARTBEAT_SECONDS)
        remove_beat(self._host, self._pid)  # it may have been written while it was removed

    def _write_unless_deaf(self) -> None:
        listened_at = read_listened(self._queues)
        deaf = list_deaf(listened_at)
        if deaf and deaf != self._deaf:
            logger.warning("This worker no longer listens to %s.", " and ".join(deaf))
        self._deaf = deaf
        if not deaf or settings.REDIS_URL:
            write_beat(self._host, self._pid, listened_at)


def begin_undrained() -> None:
    """Clear the drained mark of an earlier worker with the same process id."""
    try:
        undrain(own_name())
    except (DatabaseError, InterfaceError) as error:
        logger.warning("Whether this worker is drained could not be looked up: %s", error)


def forget_dead_workers(folder: Path) -> None:
    """Remove the files that killed workers left; live workers write theirs again."""
    for path in folder.glob("*.json"):
        path.unlink(missing_ok=True)
