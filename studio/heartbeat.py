"""A file per worker, touched while the worker makes progress, which `/healthz` reads."""

import json
import logging
import os
import socket
import threading
from pathlib import Path

from django.db import DatabaseError, InterfaceError

from studio.listening import list_deaf
from tapes_app.jobs.services.loop_watch import LoopWatch
from tapes_app.jobs.store.draining import undrain
from tapes_app.jobs.store.workers import HEARTBEAT_SECONDS, workers_folder
from tapes_app.jobs.worker_name import own_name

logger = logging.getLogger(__name__)

HELD_UP_SECONDS = 8.0
"""An event loop blocked this long counts as stuck, and its worker sends no heartbeat."""


class Heartbeat:
    """Touches the worker's file every few seconds from a separate thread.

    It stops while the event loop of its jobs is blocked: then nobody's work gets done. The file
    names the queues to which the worker listens. It is touched no more while one of its queues is
    missing there, so that the worker is replaced.
    """

    def __init__(self, queues: list[str]) -> None:
        host, pid = socket.gethostname(), os.getpid()
        self._path = workers_folder() / f"{host}-{pid}.json"
        self._worker = {"host": host, "pid": pid}
        self._queues = queues
        self._deaf: list[str] = []
        self._stopped = threading.Event()

    def start(self) -> None:
        threading.Thread(target=self._beat, name="heartbeat", daemon=True).start()

    def stop(self) -> None:
        self._stopped.set()
        self._path.unlink(missing_ok=True)

    def _beat(self) -> None:
        while not self._stopped.is_set():
            if LoopWatch.seconds_blocked() < HELD_UP_SECONDS:
                self._write_unless_deaf()
            self._stopped.wait(HEARTBEAT_SECONDS)
        self._path.unlink(missing_ok=True)  # it may have been written while it was removed

    def _write_unless_deaf(self) -> None:
        deaf = list_deaf(self._queues)
        if deaf and deaf == self._deaf:
            return
        if deaf:
            logger.warning("This worker no longer listens to %s.", " and ".join(deaf))
        self._deaf = deaf
        self._write([queue for queue in self._queues if queue not in deaf])

    def _write(self, queues: list[str]) -> None:
        """Write the file atomically, so that readers never find half a file."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        part = self._path.with_suffix(".part")
        part.write_text(json.dumps({**self._worker, "queues": queues}), encoding="utf-8")
        part.replace(self._path)


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
