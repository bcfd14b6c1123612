"""A file per worker, touched while the worker gets on, from which `/healthz` knows it."""

import json
import logging
import os
import socket
import threading
from pathlib import Path

from django.db import DatabaseError, InterfaceError

from studio.health import HEARTBEAT_SECONDS, workers_folder
from tapes_app.jobs.services.loop_watch import LoopWatch
from tapes_app.jobs.store.draining import take_work_again
from tapes_app.jobs.worker_name import own_name

logger = logging.getLogger(__name__)

HELD_UP_SECONDS = 8.0
"""From then on a loop that does not come round counts as stuck, and its worker does not beat."""


class Heartbeat:
    """Touches the worker's file every few seconds from a thread of its own.

    Not while the event loop of its jobs is held up: then nothing is done for anybody.
    """

    def __init__(self, queues: list[str]) -> None:
        host, pid = socket.gethostname(), os.getpid()
        self._path = workers_folder() / f"{host}-{pid}.json"
        self._text = json.dumps({"host": host, "pid": pid, "queues": queues})
        self._stopped = threading.Event()

    def start(self) -> None:
        threading.Thread(target=self._beat, name="heartbeat", daemon=True).start()

    def stop(self) -> None:
        self._stopped.set()
        self._path.unlink(missing_ok=True)

    def _beat(self) -> None:
        while not self._stopped.is_set():
            if LoopWatch.seconds_blocked() < HELD_UP_SECONDS:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                self._write()
            self._stopped.wait(HEARTBEAT_SECONDS)

    def _write(self) -> None:
        """Write the file at once: who reads it meanwhile finds a worker, and never half a file."""
        part = self._path.with_suffix(".part")
        part.write_text(self._text, encoding="utf-8")
        part.replace(self._path)


def begin_undrained() -> None:
    """Forget that a worker before this one, of the same process id, was drained."""
    try:
        take_work_again(own_name())
    except (DatabaseError, InterfaceError) as error:
        logger.warning("Whether this worker is drained could not be looked up: %s", error)


def forget_dead_workers(folder: Path) -> None:
    """Remove the files that killed workers left; the living write theirs again."""
    for path in folder.glob("*.json"):
        path.unlink(missing_ok=True)
