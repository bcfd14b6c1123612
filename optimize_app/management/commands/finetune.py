"""Finetune a base model on a training set, and wait for the end."""

from typing import Any

from optimize_app import job_kinds  # noqa: F401 - registers what is worked on here
from optimize_app.finetune.request import FinetuneRequest
from optimize_app.finetune.services.finetune_jobs import start_finetune
from optimize_app.finetune.trainer.presets import PRESETS
from optimize_app.training_sets.store.sets import find_set
from tapes_app.management import jobs
from tapes_app.management.arguments import NAME, option, read_settings, settings_option
from tapes_app.management.command import Answer, StudioCommand
from tapes_app.projects.services.people import Person


class Command(StudioCommand):
    help = (
        "Finetune a base model on a training set. The run stays in the data folder: a run that "
        "was stopped continues when its job is queued again."
    )

    arguments = (
        NAME,
        option("--training-set", metavar="NAME", required=True),
        option("--base", metavar="NAME", required=True, help="base model, or a name on the hub"),
        option("--preset", choices=tuple(PRESETS), default="tiny"),
        settings_option('what differs from the preset, such as epochs=2 or lora={"rank":8}'),
    )

    def work(self, person: Person, options: dict[str, Any]) -> Answer:
        training_set = find_set(options["training_set"], person.project_id)
        request = FinetuneRequest(
            name=options["name"],
            training_set_id=training_set.id,
            base=options["base"],
            preset=options["preset"],
            options=read_settings(options["set"]),
        )
        job = jobs.finish(person, start_finetune(person, request).id)
        values = {"job": str(job.id), "state": job.state, **(job.result or {})}
        if job.state != "succeeded" or job.result is None:
            return Answer(job.message, values, is_done=False)
        summary = f"{job.message} Adapter {request.name!r} after {job.result['steps']} steps."
        return Answer(summary, values)
