"""Starting, watching and stopping the trainer, a process group of its own.

The trainer holds a lock on its run folder. A worker that takes over a run whose trainer is still
alive, because only the worker died, watches that trainer instead of starting a second one.
"""

import fcntl
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from optimize_app.finetune.trainer.run_folder import RunFolder

ROOT = Path(__file__).resolve().parent.parent.parent
_LOG_FILE = "log.txt"
_LINES_SHOWN = 5


def start_trainer(run: RunFolder) -> subprocess.Popen[bytes]:
    """Start the trainer on a folder; what it prints goes into `log.txt`."""
    run.stop_file.unlink(missing_ok=True)
    with (run.path / _LOG_FILE).open("ab") as log:
        return subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, "-m", "optimize_app.finetune", str(run.path)],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )


def is_training(run: RunFolder) -> bool:
    """Return whether a trainer, of whichever worker, is at work on a folder."""
    if not run.lock_file.exists():
        return False
    with run.lock_file.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def kill_trainer(run: RunFolder) -> None:
    """End the trainer of a folder and what it started, at once."""
    with suppress(OSError, ValueError):
        pid = int(run.lock_file.read_text())
        if is_training(run):
            os.killpg(pid, signal.SIGKILL)


def read_last_words(run: RunFolder) -> str:
    """Return the last lines that a trainer printed."""
    try:
        lines = (run.path / _LOG_FILE).read_text(errors="replace").splitlines()
    except OSError:
        return ""
    return "\n".join(lines[-_LINES_SHOWN:])
