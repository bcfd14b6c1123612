"""A file per worker, touched while the worker lives, from which `/healthz` knows it."""

import json
import os
import socket
import threading
from pathlib import Path

from studio.health import HEARTBEAT_SECONDS, workers_folder


class Heartbeat:
    """Touches the worker's file every few seconds from a thread of its own."""

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
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._path.write_text(self._text, encoding="utf-8")
            self._stopped.wait(HEARTBEAT_SECONDS)


def forget_dead_workers(folder: Path) -> None:
    """Remove the files that killed workers left; the living write theirs again."""
    for path in folder.glob("*.json"):
        path.unlink(missing_ok=True)
