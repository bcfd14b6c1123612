"""The job that makes the tiny demo base: a blank model, its corpus, the trainer, a folder."""

import shutil
import subprocess
import sys
import threading
from pathlib import Path

from optimize_app import shared_bases as bases
from optimize_app.base_models import models_folder
from optimize_app.finetune.base_recipe import BASE_KIND, BaseRecipe
from optimize_app.finetune.request import TRAIN_QUEUE
from optimize_app.finetune.services.watching import FinetuneFailedError, train
from optimize_app.finetune.store import runs
from optimize_app.finetune.trainer.run_folder import RunFolder, whole_folder, write_json
from optimize_app.programs import ROOT
from tapes_app.engine.errors import ConflictError
from tapes_app.jobs.services.context import JobContext
from tapes_app.jobs.services.registry import Outcome, job_kind
from tapes_app.jobs.services.stopping import run_until_stopped
from tapes_app.jobs.store.job import Job, create_job
from tapes_app.projects.services.people import Person

_RECIPE_FILE = "recipe.json"


def start_base_model(person: Person, recipe: BaseRecipe) -> Job:
    """Queue the making of a base model; one of the same recipe is not made twice.

    Raises:
        ConflictError: there is another base model of that name.
    """
    _is_made(recipe)
    return create_job(
        person.project_id,
        BASE_KIND,
        request=recipe.model_dump(mode="json", exclude_unset=True),
        title=f"Base model {recipe.name}",
        owner_id=person.user_id,
        queue=TRAIN_QUEUE,
    )


@job_kind(BASE_KIND)
async def execute_base_model(context: JobContext) -> Outcome:
    """Make the model; an attempt that died is gone on with."""
    return await run_until_stopped(context, _work, lambda _job, _project: None)


def _work(context: JobContext, stopped: threading.Event) -> Outcome:
    recipe = BaseRecipe.model_validate(context.job.request)
    result = {"base": recipe.name}
    if _is_made(recipe):
        return Outcome(message=f"{recipe.name} is there already.", result=result)
    context.report_progress(0, recipe.steps, "Writing the corpus")
    message = train(context, _prepare(context, recipe), stopped)
    if message is None:
        return Outcome("cancelled")
    run = runs.run_folder(context.job.id)
    place = models_folder() / recipe.name
    if not place.is_dir():
        with whole_folder(place) as fresh:
            shutil.copytree(run.path / "model", fresh, dirs_exist_ok=True)
            write_json(fresh / _RECIPE_FILE, recipe.model_dump())
    bases.share_base(recipe.name)
    return Outcome(message=f"{recipe.name} is ready to be finetuned.", result=result)


def _is_made(recipe: BaseRecipe) -> bool:
    bases.list_bases()  # it may have been made on another machine
    place = models_folder() / recipe.name
    if not place.is_dir():
        return False
    file = place / _RECIPE_FILE
    if file.is_file() and BaseRecipe.model_validate_json(file.read_bytes()).digest == recipe.digest:
        return True
    raise ConflictError(
        f"There is another base model {recipe.name!r} already. Choose another name.",
        base=recipe.name,
    )


def _prepare(context: JobContext, recipe: BaseRecipe) -> RunFolder:
    """Make the run folder, unless an earlier attempt has."""
    found = runs.find_run(context.job.id)
    if found is not None:
        return found
    run = runs.run_folder(context.job.id)
    run.path.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_json(run.path / _RECIPE_FILE, recipe.model_dump())
    _write_blank(run.path)
    for file, examples in (
        (run.samples_file, recipe.list_examples()),
        (run.evaluation_file, recipe.list_held_out()),
    ):
        with file.open("w") as lines:
            lines.writelines(example.model_dump_json() + "\n" for example in examples)
    runs.write_config(run, recipe.configure(str(run.path / "blank")))
    return run


def _write_blank(folder: Path) -> None:
    module = "optimize_app.finetune.trainer.blank_model"
    made = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-m", module, str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if made.returncode:
        raise FinetuneFailedError(f"The blank model cannot be made: {made.stderr[-1000:]}")
