"""The job of a finetune: prepare a run folder, start the trainer, watch it, store the result.

Neither the web server nor the worker loads torch.
"""

import json
import threading

from optimize_app import shared_bases as bases
from optimize_app.base_models import find_tokenizer
from optimize_app.finetune.request import FINETUNE_KIND, NAME_LENGTH, TRAIN_QUEUE, FinetuneRequest
from optimize_app.finetune.services.watching import train
from optimize_app.finetune.store import adapters, runs
from optimize_app.finetune.store.adapters import AdapterRow
from optimize_app.finetune.trainer.config import FinetuneConfig
from optimize_app.finetune.trainer.run_folder import RunFolder, count_valid
from optimize_app.training_sets.store.example_index import find_recorded
from optimize_app.training_sets.store.sets import TrainingSetRow, load_set, share_folder
from optimize_app.training_sets.token_reader import TokenReader
from tapes_app.engine.errors import InvalidInputError
from tapes_app.jobs.services.context import JobContext
from tapes_app.jobs.services.registry import Outcome, job_kind
from tapes_app.jobs.services.stopping import run_until_stopped
from tapes_app.jobs.store.job import Job, create_job
from tapes_app.projects.domain.columns import check_name
from tapes_app.projects.services.people import Person

_OTHER_OBJECTIVE = {
    "preference": "The training set holds preference pairs. Choose the preset preference.",
    "chat": "The training set holds no preference pairs. Choose another preset, or make a set of "
    "edits.",
}


def start_finetune(person: Person, request: FinetuneRequest) -> Job:
    """Queue a finetune.

    Raises:
        NotFoundError: no such training set in the project.
        InvalidInputError: there is no such base, an option is unknown or out of bounds, the
            objective does not fit the set, its recorded tokens are not of the base, or the name
            contains characters that the database does not accept.
        DeviceError: the disk has no room for its checkpoints.
        ConflictError: workers on other machines cannot find the base.
        ArtefactError: the store that machines share folders through cannot be reached.
    """
    examples = check_finetune(person, request)
    share_folder(examples.content_hash)
    return create_job(
        person.project_id,
        FINETUNE_KIND,
        request=request.model_dump(mode="json", exclude_unset=True),
        title=f"Finetune {request.name}",
        owner_id=person.user_id,
        queue=TRAIN_QUEUE,
    )


def check_finetune(person: Person, request: FinetuneRequest) -> TrainingSetRow:
    """Return the training set of a finetune that could be started; nothing is queued.

    Raises:
        StudioError: it could not be started, as `start_finetune` says.
    """
    check_name(request.name, NAME_LENGTH, "The name")
    examples = load_set(request.training_set_id, person.project_id)
    config = check_base(person, request)
    if (examples.kind == "preference") != (config.objective == "preference"):
        raise InvalidInputError(_OTHER_OBJECTIVE[examples.kind], field="preset")
    if examples.facts.base not in ("", request.base):
        _check_recorded(person, examples, request.base)
    return examples


def check_base(person: Person, request: FinetuneRequest) -> FinetuneConfig:
    """Return the config of a finetune whose base is there and has room to learn.

    Raises:
        InvalidInputError: there is no such base, or an option is unknown or out of bounds.
        DeviceError: the disk has no room for its checkpoints.
        ConflictError: workers on other machines cannot find the base.
        ArtefactError: the store that machines share folders through cannot be reached.
    """
    config = request.configure(bases.find(request.base, person.project_id))
    bases.check_shared(request.base, person.project_id)
    runs.check_room_for(config)
    return config


def check_learns_answers(config: FinetuneConfig) -> None:
    """Refuse preferences, for work that makes a set of answers.

    Raises:
        InvalidInputError: the preset, or an option, chooses preferences.
    """
    if config.objective == "preference":
        raise InvalidInputError(
            "The student learns answers, not preferences. Choose another preset.", field="preset"
        )


def _check_recorded(person: Person, examples: TrainingSetRow, base: str) -> None:
    """Reject a base whose tokenizer reads recorded tokens differently, if that is known here."""
    example = find_recorded(examples.content_hash)
    folder = find_tokenizer(bases.find(base, person.project_id))
    if example is None or folder is None:
        return  # the trainer checks each of them
    if TokenReader(base, folder).read(example.token_ids) != example.text:
        raise InvalidInputError(
            f"Training set {examples.name!r} holds recorded tokens of {examples.facts.base}, which "
            f"the tokenizer of {base} reads as different text. Choose {examples.facts.base}, or "
            f"make a set for {base}.",
            base=base,
            field="base",
        )


@job_kind(FINETUNE_KIND)
async def execute_finetune(context: JobContext) -> Outcome:
    """Train to the end, or until somebody cancels; what was trained stays in the run folder."""
    return await run_until_stopped(context, _work, lambda _job, _project: None)


def _work(context: JobContext, stopped: threading.Event) -> Outcome:
    request = FinetuneRequest.model_validate(context.job.request)
    examples = load_set(request.training_set_id, context.job.project_id)
    config = request.configure(bases.load(request.base, context.job.project_id))
    run = runs.prepare_run(context.job.id, config, examples.content_hash)
    message = train(context, run, stopped)
    if message is None:
        return Outcome("cancelled")
    made: list[AdapterRow] = []
    context.write_in_thread(lambda: made.append(_save(context, request, run)))
    return Outcome(
        message=message,
        result={"adapter_id": str(made[-1].id), "steps": made[-1].steps, "loss": made[-1].loss},
    )


def _save(context: JobContext, request: FinetuneRequest, run: RunFolder) -> AdapterRow:
    resolved = json.loads((run.path / "resolved.json").read_bytes())
    loss: float | None = None
    held_out: float | None = None
    steps = 0
    for event in count_valid(runs.iterate_metrics(context.job.id)):
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
