"""Workers that are alive but stuck: their heartbeat file is no longer touched."""

import os
import signal
import socket
from contextlib import suppress
from pathlib import Path

from studio.children import Child

STUCK_AFTER_SECONDS = 15.0
"""Without a beat. A worker whose event loop is blocked stops its beats after some seconds."""

STATE_SIGNAL = getattr(signal, "SIGUSR2", None)
"""Makes a worker log what all its threads are doing, even while all of them are blocked."""


class StuckWorkers:
    """Records when each worker's file last changed, by a clock that stops during sleep."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._seen: dict[int, tuple[int, float]] = {}

    def is_stuck(self, child: Child, now: float) -> bool:
        """Return whether a child's file has not changed for too long; False if it has none."""
        pid = child.pid
        if pid is None or not child.is_alive():
            return False
        try:
            beat = self._path(pid).stat().st_mtime_ns
        except OSError:
            self._seen.pop(pid, None)
            return False
        known = self._seen.get(pid)
        if known is None or known[0] != beat:
            self._seen[pid] = (beat, now)
            return False
        return now - known[1] > STUCK_AFTER_SECONDS

    def ask_for_state(self, child: Child) -> None:
        if child.pid is not None and STATE_SIGNAL is not None:
            with suppress(ProcessLookupError):
                os.kill(child.pid, STATE_SIGNAL)

    def end(self, child: Child) -> None:
        """Kill a child; `revive` starts another in its place, and its runs continue there."""
        child.send(signal.SIGKILL)
        if child.process is not None and child.pid is not None:
            child.process.join()
            self._path(child.pid).unlink(missing_ok=True)
            self._seen.pop(child.pid, None)

    def _path(self, pid: int) -> Path:
        return self._folder / f"{socket.gethostname()}-{pid}.json"
