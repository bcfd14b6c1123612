"""Programs over a folder: started as separate process groups, found again, stopped.

The trainer and the servers of models are such programs. Each holds a lock on its folder with its
process id in it, ends when a file `stop` appears, and prints into `log.txt`. If only the worker
died and its program is still alive, the worker that takes over the folder watches that program
instead of starting a second one.
"""

import fcntl
import os
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
UNWATCHED_SECONDS = 600.0
"""A program ends after this long without a watcher."""

_LINES_SHOWN = 5
_TAIL_BYTES = 64_000


@dataclass(frozen=True)
class ProgramFolder:
    """The files through which a program and its watcher know about each other."""

    path: Path

    @property
    def lock_file(self) -> Path:
        """Held by the program, so that a folder has only one; its text is the process id."""
        return self.path / "lock"

    @property
    def stop_file(self) -> Path:
        """Asks the program to end."""
        return self.path / "stop"

    @property
    def watched_file(self) -> Path:
        """Touched by the watcher; if it grows old, there is no watcher anymore."""
        return self.path / "watched"

    @property
    def log_file(self) -> Path:
        """The output of the program."""
        return self.path / "log.txt"

    def start(self, command: Sequence[str]) -> subprocess.Popen[bytes]:
        """Start a program on the folder."""
        self.stop_file.unlink(missing_ok=True)
        with self.log_file.open("ab") as log:
            return subprocess.Popen(  # noqa: S603 - our own program
                command,
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Hold the folder as the only program that works on it.

        Raises:
            BlockingIOError: another program holds it.
        """
        with self.lock_file.open("a") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            file.truncate(0)
            file.write(str(os.getpid()))
            file.flush()
            yield

    def must_stop(self) -> bool:
        """Return, in the program, whether somebody asked it to stop or its watcher is gone."""
        return self.stop_file.exists() or self.is_unwatched(UNWATCHED_SECONDS)

    def is_unwatched(self, seconds: float) -> bool:
        """Return whether there was a watcher that has not reported for this long."""
        try:
            return time.time() - self.watched_file.stat().st_mtime > seconds
        except FileNotFoundError:  # started by hand: no watcher is needed
            return False

    def is_at_work(self) -> bool:
        """Return whether a program, of any worker, works on the folder."""
        if not self.lock_file.exists():
            return False
        with self.lock_file.open("a") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return True
        return False

    def kill(self) -> None:
        """Kill the program and everything it started, immediately."""
        with suppress(OSError, ValueError):
            pid = int(self.lock_file.read_text())
            if self.is_at_work():
                os.killpg(pid, signal.SIGKILL)

    def read_log(self) -> str:
        """Return the end of the program's output."""
        try:
            with self.log_file.open("rb") as log:
                log.seek(max(0, self.log_file.stat().st_size - _TAIL_BYTES))
                return log.read().decode(errors="replace")
        except OSError:
            return ""

    def read_last_words(self) -> str:
        """Return the last lines that the program printed."""
        return "\n".join(self.read_log().splitlines()[-_LINES_SHOWN:])
