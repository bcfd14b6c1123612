"""The job that makes the tiny demo base: a blank model, its corpus, the trainer, a folder."""

import shutil
import subprocess
import sys
import threading
from itertools import takewhile
from pathlib import Path
from typing import Any
from uuid import UUID

from optimize_app import shared_bases as bases
from optimize_app.base_models import RECIPE_FILE, BaseModel, list_makers, models_folder
from optimize_app.finetune.base_recipe import BASE_KIND, BaseRecipe, MadeBase
from optimize_app.finetune.request import TRAIN_QUEUE
from optimize_app.finetune.services.watching import FinetuneFailedError, train
from optimize_app.finetune.store import runs
from optimize_app.finetune.trainer.run_folder import (
    RunFolder,
    atomic_folder,
    count_valid,
    write_json,
)
from optimize_app.programs import ROOT
from tapes_app.engine.errors import ConflictError
from tapes_app.jobs.services.context import JobContext
from tapes_app.jobs.services.registry import Outcome, job_kind
from tapes_app.jobs.services.stopping import run_until_stopped
from tapes_app.jobs.store.job import Job, create_job, list_jobs
from tapes_app.projects.services.people import Person

_LOOK_SECONDS = 0.2
_MOST_MADE = 10_000


def list_bases(person: Person) -> list[BaseModel]:
    """Return the bases that were made in a person's project or provided by an operator.

    Raises:
        ArtefactError: the artefact store cannot be reached.
    """
    folder = models_folder()
    makers = {base: list_makers(folder / base.name) for base in bases.list_bases()}
    found = [one for one, who in makers.items() if who is None or person.project_id in who]
    old = {
        base.name
        for base in found
        if makers[base] is None and (folder / base.name / RECIPE_FILE).is_file()
    }
    theirs = _list_made(person) if old else set()
    return [base for base in found if base.name not in old or base.name in theirs]


def start_base_model(person: Person, recipe: BaseRecipe) -> Job:
    """Queue the making of a base model; a model of the same recipe is not made twice.

    Raises:
        ConflictError: there is another base model of that name.
    """
    is_made(recipe)
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
    """Make the model; continue what an earlier attempt left."""
    return await run_until_stopped(context, _work, lambda _job, _project: None)


def _work(context: JobContext, stopped: threading.Event) -> Outcome:
    recipe = BaseRecipe.model_validate(context.job.request)
    result: dict[str, Any] = {"base": recipe.name}
    if is_made(recipe):
        _add_maker(recipe.name, context.job.project_id)
        return Outcome(message=f"{recipe.name} exists already.", result=result)
    context.report_progress(0, recipe.steps, "Writing the corpus")
    run = _prepare(context, recipe, stopped)
    message = train(context, run, stopped) if run is not None else None
    if run is None or message is None:
        return Outcome("cancelled")
    place = models_folder() / recipe.name
    if place.is_dir():  # another project has made it meanwhile
        _add_maker(recipe.name, context.job.project_id)
    else:
        with atomic_folder(place) as fresh:
            shutil.copytree(run.path / "model", fresh, dirs_exist_ok=True)
            write_json(fresh / RECIPE_FILE, _describe(recipe, context.job.project_id))
    bases.share_base(recipe.name)
    message = f"{recipe.name} is ready to be finetuned."
    measured = [
        event
        for event in count_valid(runs.iterate_metrics(context.job.id))
        if event["event"] == "evaluation"
    ]
    if measured:
        loss, right = measured[-1]["loss"], measured[-1]["answers_right"]
        result |= {"held_out_loss": loss, "answers_right": right}
        message += f" Its held-out loss is {loss:.2f}, and {right:.0%} of the held-out answers are "
        message += "right to the last token."
    return Outcome(message=message, result=result)


def _describe(recipe: BaseRecipe, *projects: UUID) -> dict[str, Any]:
    return MadeBase(**recipe.model_dump(), projects=projects).model_dump(mode="json")


def _read_made(file: Path) -> MadeBase:
    return MadeBase.model_validate_json(file.read_bytes())


def _add_maker(name: str, project_id: UUID) -> None:
    """Note that a project has made a base that another one had made before."""
    file = models_folder() / name / RECIPE_FILE
    made = _read_made(file)
    if made.projects is None or project_id in made.projects:
        return  # whose an old one is, the jobs tell
    bases.fetch(name)
    write_json(file, _describe(made.recipe, *made.projects, project_id))
    bases.share_base_again(name)


def _list_made(person: Person) -> set[str]:
    """Return the bases of which a job of this project tells: those older than the list in them."""
    jobs = list_jobs(person.project_id, kinds=(BASE_KIND,), states={"succeeded"}, limit=_MOST_MADE)
    return {job.result["base"] for job in jobs if job.result}


def is_made(recipe: BaseRecipe) -> bool:
    """Return whether there is a base of this recipe.

    Raises:
        ConflictError: there is another base model of that name.
        ArtefactError: the artefact store cannot be reached.
    """
    bases.list_bases()  # it may have been made on another machine
    place = models_folder() / recipe.name
    if not place.is_dir():
        return False
    file = place / RECIPE_FILE
    if file.is_file() and _read_made(file).recipe.digest == recipe.digest:
        return True
    raise ConflictError(
        f"Another base model is named {recipe.name!r} already. Choose another name.",
        base=recipe.name,
    )


def _prepare(context: JobContext, recipe: BaseRecipe, stopped: threading.Event) -> RunFolder | None:
    """Make the run folder, unless an earlier attempt has made it; `None`, and none: stopped."""
    found = runs.find_run(context.job.id)
    if found is not None:
        return found
    run = runs.run_folder(context.job.id)
    run.path.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_json(run.path / RECIPE_FILE, recipe.model_dump())
    _write_blank(run.path, stopped)
    for file, examples in (
        (run.samples_file, recipe.list_examples()),
        (run.evaluation_file, recipe.list_held_out()),
    ):
        with file.open("w") as lines:
            going_on = takewhile(lambda _: not stopped.is_set(), examples)
            lines.writelines(example.model_dump_json() + "\n" for example in going_on)
    if stopped.is_set():
        shutil.rmtree(run.path)
        return None
    runs.write_config(run, recipe.configure(str(run.path / "blank")))
    return run


def _write_blank(folder: Path, stopped: threading.Event) -> None:
    module = "optimize_app.finetune.trainer.blank_model"
    with subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-m", module, str(folder)],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as making:
        problem = _read_to_the_end(making, stopped)
    if making.returncode and not stopped.is_set():
        raise FinetuneFailedError(f"The blank model cannot be made: {problem[-1000:]}")


def _read_to_the_end(program: subprocess.Popen[str], stopped: threading.Event) -> str:
    """Wait for a program, and kill it when the job is stopped; return what it complained about."""
    while True:
        try:
            return program.communicate(timeout=_LOOK_SECONDS)[1]
        except subprocess.TimeoutExpired:
            if stopped.is_set():
                program.kill()
