"""The job of a finetune: prepare a run folder, start the trainer, watch it, take in the result.

Neither web nor worker loads torch.
"""

import json
import signal
import threading
import time
from typing import Any

from optimize_app.finetune.base_models import find_base
from optimize_app.finetune.launching import (
    is_training,
    kill_trainer,
    read_last_words,
    start_trainer,
)
from optimize_app.finetune.request import FINETUNE_KIND, TRAIN_QUEUE, FinetuneRequest
from optimize_app.finetune.store import adapters, runs
from optimize_app.finetune.store.adapters import AdapterRow
from optimize_app.finetune.trainer.run_folder import RunFolder
from optimize_app.training_sets.store.sets import load_set
from tapes_app.engine.errors import StudioError
from tapes_app.jobs.services.context import JobContext
from tapes_app.jobs.services.registry import Outcome, job_kind
from tapes_app.jobs.services.stopping import run_until_stopped
from tapes_app.jobs.store.job import Job, create_job
from tapes_app.projects.services.people import Person

_POLL_SECONDS = 0.5
_PATIENCE_SECONDS = 120.0
"""How long a trainer may take to save and end before it is killed."""


class FinetuneFailedError(StudioError):
    """The trainer ended without a result; the last checkpoint is kept."""

    code = "training_failed"
    status = 500


def start_finetune(person: Person, request: FinetuneRequest) -> Job:
    """Queue a finetune.

    Raises:
        NotFoundError: no such training set in the project.
        InvalidInputError: there is no such base, or an option is unknown or out of bounds.
    """
    load_set(request.training_set_id, person.project_id)
    request.configure(find_base(request.base, runs.models_folder()))
    return create_job(
        person.project_id,
        FINETUNE_KIND,
        request=request.model_dump(mode="json", exclude_unset=True),
        title=f"Finetune {request.name}",
        owner_id=person.user_id,
        queue=TRAIN_QUEUE,
    )


@job_kind(FINETUNE_KIND)
async def execute_finetune(context: JobContext) -> Outcome:
    """Train until the end, or until somebody cancels; what was trained stays in the run folder."""
    return await run_until_stopped(context, _work, lambda _job, _project: None)


def _work(context: JobContext, stopped: threading.Event) -> Outcome:
    request = FinetuneRequest.model_validate(context.job.request)
    examples = load_set(request.training_set_id, context.job.project_id)
    config = request.configure(find_base(request.base, runs.models_folder()))
    run = runs.prepare_run(context.job.id, config, examples.content_hash)
    status = _watch(context, run, stopped)
    if stopped.is_set():
        return Outcome("cancelled")
    result = _read_result(run, status)
    if result["state"] not in ("succeeded", "stopped_early"):
        raise FinetuneFailedError(result["message"], **result.get("details", {}))
    made: list[AdapterRow] = []
    context.write_in_thread(lambda: made.append(_save(context, request, run)))
    return Outcome(
        message=result["message"],
        result={"adapter_id": str(made[-1].id), "steps": made[-1].steps, "loss": made[-1].loss},
    )


def _watch(context: JobContext, run: RunFolder, stopped: threading.Event) -> int | None:
    """Have a trainer work until it ends; return its exit status, where it is our child.

    A stop by a person, or of the worker, has it save and end; another attempt goes on.
    """
    run.watched_file.touch()
    child = None if is_training(run) else start_trainer(run)
    progress, asked_at = _Progress(context), 0.0
    while child.poll() is None if child is not None else is_training(run):
        run.watched_file.touch()
        progress.report()
        if stopped.wait(_POLL_SECONDS) and not asked_at:
            run.stop_file.touch()
            asked_at = time.monotonic()
        if asked_at and time.monotonic() > asked_at + _PATIENCE_SECONDS:
            kill_trainer(run)
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
        message = f"The trainer ended without a result. It said last: {read_last_words(run)}"
    return {"state": "failed", "message": message}


def _save(context: JobContext, request: FinetuneRequest, run: RunFolder) -> AdapterRow:
    resolved = json.loads((run.path / "resolved.json").read_bytes())
    loss: float | None = None
    held_out: float | None = None
    steps = 0
    for event in runs.iterate_metrics(context.job.id):
        if event["event"] == "step":
            loss, steps = event["loss"], event["step"]
        elif event["event"] == "evaluation" and event["is_best"]:
            held_out = event["loss"]
    return adapters.save_adapter(
        context.job.project_id,
        owner=context.job.owner_id,
        job_id=context.job.id,
        name=request.name,
        training_set_id=request.training_set_id,
        base=request.base,
        config=resolved["config"],
        steps=steps,
        loss=loss,
        held_out_loss=held_out,
    )
