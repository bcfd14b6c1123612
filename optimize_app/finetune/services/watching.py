"""A trainer that works for a job: starting it once, watching and stopping it, reading its end."""

import json
import threading
import time
from contextlib import suppress
from typing import Any

from django.conf import settings

from optimize_app.finetune.command import trainer_command
from optimize_app.finetune.services.sharing import shared_run
from optimize_app.finetune.store import runs
from optimize_app.finetune.trainer.room import full_disk_message, is_full
from optimize_app.finetune.trainer.run_folder import RunFolder
from optimize_app.launchers.launcher import Launcher, Program, Standing
from optimize_app.launchers.opening import open_launcher
from tapes_app.engine.errors import StudioError
from tapes_app.jobs.services.context import JobContext
from tapes_app.jobs.store.job import Job

_LINES_SHOWN = 5
_KILLED = (
    "The trainer did not end within {:g} seconds, so it was killed; the last checkpoint is kept."
)


class FinetuneFailedError(StudioError):
    """The trainer ended without a result; the last checkpoint is kept."""

    code = "training_failed"
    status = 500


def train(context: JobContext, run: RunFolder, stopped: threading.Event) -> str | None:
    """Train the run of a job to its end, and return the trainer's closing sentence.

    `None`: it was stopped, by a person or with its worker; another attempt will continue it.

    Raises:
        FinetuneFailedError: it ended without a result; the message has the reason.
        LauncherError: it cannot be started with the current settings.
        ArtefactError: the store that machines share folders through cannot be reached.
    """
    launcher = open_launcher()
    with shared_run(context.job, launcher):
        watch = _Watch(context, launcher, run)
        try:
            standing = watch.wait(stopped)
        except BaseException:
            watch.give_up()
            raise
    if stopped.is_set():
        return None
    result = _read_result(run, standing, watch.read_last_words)
    if result["state"] not in ("succeeded", "stopped_early"):
        raise FinetuneFailedError(result["message"], **result.get("details", {}))
    return str(result["message"])


class _Watch:
    """One trainer, wherever its launcher runs it."""

    def __init__(self, context: JobContext, launcher: Launcher, run: RunFolder) -> None:
        self._context = context
        self._launcher = launcher
        self._run = run
        self._handle = ""
        self._progress = _Progress(context)

    def wait(self, stopped: threading.Event) -> Standing:
        """Let the trainer work until it ends, or until it is no longer watched from here."""
        is_found = self._is_left_behind()
        standing = self._watch(stopped)
        if is_found and not stopped.is_set() and self._run.was_stopped():
            # An earlier worker had asked it to end, and was gone before it did: it continues.
            return self._watch(stopped)
        return standing

    def _is_left_behind(self) -> bool:
        """Return whether an earlier worker's trainer is still at work on this machine."""
        is_local = not (self._launcher.outlives_workers or self._launcher.carries_folder)
        return is_local and self._run.is_at_work()

    def _watch(self, stopped: threading.Event) -> Standing:
        self._run.watched_file.touch()
        self._handle = self._find() or self._submit()
        stop_by = 0.0
        while (standing := self._launcher.poll(self._handle)).phase != "ended":
            self._run.watched_file.touch()
            self._look(standing)
            if not stopped.wait(self._launcher.poll_seconds):
                continue
            if self._launcher.outlives_workers and not self._context.cancelled_by:
                return standing  # the next worker finds it
            if not stop_by:
                self._run.stop_file.touch()
                stop_by = time.monotonic() + settings.STUDIO_STOP_GRACE_SECONDS
            if not self._can_be_asked(standing):
                self._launcher.cancel(self._handle)
            elif time.monotonic() > stop_by:
                self._launcher.cancel(self._handle)
                self._context.remark = _KILLED.format(settings.STUDIO_STOP_GRACE_SECONDS)
            time.sleep(self._launcher.poll_seconds / 2)
        self._look(Standing("running"))
        return standing

    def give_up(self) -> None:
        """Make the trainer end, as nobody would watch it anymore."""
        self._run.stop_file.touch()
        if self._handle and self._launcher.outlives_workers:
            with suppress(StudioError):
                self._launcher.cancel(self._handle)

    def read_last_words(self) -> str:
        """Return the last lines that the trainer printed."""
        lines = self._launcher.logs(self._handle).splitlines()
        return "\n".join(lines[-_LINES_SHOWN:])

    def _find(self) -> str:
        """Return the handle of a trainer that an earlier worker left running, or an empty text."""
        kept = self._context.job.checkpoint or {}
        if not self._launcher.outlives_workers or kept.get("launcher") != self._launcher.name:
            return ""
        handle = str(kept["handle"])
        return handle if self._launcher.poll(handle).phase != "ended" else ""

    def _submit(self) -> str:
        job = self._context.job
        if self._launcher.carries_folder:
            runs.publish_run(job.id, job.attempt)
        elif not self._run.is_at_work():
            self._run.forget_failure()
        handle = self._launcher.submit(_program_of(job, self._run))
        if self._launcher.outlives_workers:
            self._context.keep({"launcher": self._launcher.name, "handle": handle})
        return handle

    def _can_be_asked(self, standing: Standing) -> bool:
        """Return whether the trainer sees the folder, and can so be asked to end."""
        return standing.phase == "running" and not self._launcher.carries_folder

    def _look(self, standing: Standing) -> None:
        if self._launcher.carries_folder:
            runs.find_run(self._context.job.id)
        self._progress.report(standing.message or _read_waiting(self._run))


def _read_waiting(run: RunFolder) -> str:
    try:
        return run.waiting_file.read_text()
    except FileNotFoundError:
        return ""


def _program_of(job: Job, run: RunFolder) -> Program:
    config = run.read_config()
    return Program(
        name=f"studio-{job.id}-{job.attempt}",
        folder=run,
        command=trainer_command(run, settings.STUDIO_TRAIN_MEMORY_BYTES),
        gpus=0 if config.device == "cpu" else config.processes,
        artefact=runs.artefact_of(job.id),
        attempt=job.attempt,
    )


class _Progress:
    """Reports a trainer's progress, from what it has written since the last report."""

    def __init__(self, context: JobContext) -> None:
        self._context = context
        self._place = 0
        self._steps: int | None = None
        self._waits_for = ""

    def report(self, waits_for: str) -> None:
        if waits_for != self._waits_for:
            self._waits_for = waits_for
            self._context.report_progress(0, self._steps, waits_for)
        page = runs.read_metrics(self._context.job.id, self._place)
        self._place = page.next
        for event in page.events:
            if event["event"] == "plan":
                self._steps = event["steps"]
                message = " ".join([*event.get("notes", ()), "Loading the base model"])
                self._context.report_progress(0, self._steps, message)
        step = next((event for event in reversed(page.events) if event["event"] == "step"), None)
        if step is not None:
            self._context.report_progress(step["step"], self._steps, f"Loss {step['loss']:.3f}")


def _read_result(run: RunFolder, standing: Standing, read_last_words: Any) -> dict[str, Any]:
    """Return how a trainer ended; it may not have had time to record it."""
    if run.result_file.is_file():
        result: dict[str, Any] = json.loads(run.result_file.read_bytes())
        return result
    if standing.is_out_of_memory:
        message = (
            "The system ended the trainer, most likely because its memory ran out. Choose fewer "
            "tokens_per_pass or a shorter max_length. The last checkpoint is kept."
        )
    elif standing.message:
        message = standing.message
    elif is_full(run.path):
        message = full_disk_message(run.path)
    else:
        message = f"The trainer ended without a result. Its last words: {read_last_words()}"
    return {"state": "failed", "message": message}
