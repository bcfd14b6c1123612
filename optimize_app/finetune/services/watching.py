"""A trainer at work for a job: started once, watched, stopped with its worker, its end read."""

import json
import signal
import subprocess
import sys
import threading
import time
from typing import Any

from optimize_app.finetune.store import runs
from optimize_app.finetune.trainer.run_folder import RunFolder
from tapes_app.engine.errors import StudioError
from tapes_app.jobs.services.context import JobContext

_POLL_SECONDS = 0.5
_PATIENCE_SECONDS = 120.0
"""How long a trainer may take to save and end before it is killed."""


class FinetuneFailedError(StudioError):
    """The trainer ended without a result; the last checkpoint is kept."""

    code = "training_failed"
    status = 500


def train(context: JobContext, run: RunFolder, stopped: threading.Event) -> str | None:
    """Train the run of a job to its end, and return what the trainer said of it.

    `None`: it was stopped, by a person or with its worker; another attempt goes on.

    Raises:
        FinetuneFailedError: it ended without a result; the message says why.
    """
    try:
        status = _watch(context, run, stopped)
    except BaseException:
        run.stop_file.touch()  # nobody would watch it any more
        raise
    if stopped.is_set():
        return None
    result = _read_result(run, status)
    if result["state"] not in ("succeeded", "stopped_early"):
        raise FinetuneFailedError(result["message"], **result.get("details", {}))
    return str(result["message"])


def start_trainer(run: RunFolder) -> subprocess.Popen[bytes]:
    """Start the trainer on a folder; what it prints goes into `log.txt`."""
    return run.start([sys.executable, "-m", "optimize_app.finetune", str(run.path)])


def _watch(context: JobContext, run: RunFolder, stopped: threading.Event) -> int | None:
    """Have a trainer work until it ends; return its exit status, where it is our child."""
    run.watched_file.touch()
    child = None if run.is_at_work() else start_trainer(run)
    progress, asked_at = _Progress(context), 0.0
    while child.poll() is None if child is not None else run.is_at_work():
        run.watched_file.touch()
        progress.report()
        if stopped.wait(_POLL_SECONDS) and not asked_at:
            run.stop_file.touch()
            asked_at = time.monotonic()
        if asked_at and time.monotonic() > asked_at + _PATIENCE_SECONDS:
            run.kill()
    if not stopped.is_set():
        progress.report()
    return child.returncode if child is not None else None


class _Progress:
    """Says how far a trainer is, from what it has written since it was asked last."""

    def __init__(self, context: JobContext) -> None:
        self._context = context
        self._place = 0
        self._steps: int | None = None

    def report(self) -> None:
        page = runs.read_metrics(self._context.job.id, self._place)
        self._place = page.next
        for event in page.events:
            if event["event"] == "plan":
                self._steps = event["steps"]
                self._context.report_progress(0, self._steps, "Loading the base model")
        step = next((event for event in reversed(page.events) if event["event"] == "step"), None)
        if step is not None:
            self._context.report_progress(step["step"], self._steps, f"Loss {step['loss']:.3f}")


def _read_result(run: RunFolder, status: int | None) -> dict[str, Any]:
    """Return how a trainer ended; it may have had no time to say so."""
    if run.result_file.is_file():
        result: dict[str, Any] = json.loads(run.result_file.read_bytes())
        return result
    if status is not None and -status == signal.SIGKILL:
        message = (
            "The system ended the trainer, most likely because its memory ran out. Choose fewer "
            "tokens_per_pass or a shorter max_length. The last checkpoint is kept."
        )
    else:
        message = f"The trainer ended without a result. It said last: {run.read_last_words()}"
    return {"state": "failed", "message": message}
