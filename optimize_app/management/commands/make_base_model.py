"""Make the tiny base model that the demo finetunes start from."""

from typing import Any

from pydantic import ValidationError

from optimize_app import job_kinds  # noqa: F401 - registers what is worked on here
from optimize_app.finetune.base_recipe import BaseRecipe
from optimize_app.finetune.services.base_jobs import start_base_model
from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.tape.steps import first_reason
from tapes_app.management import jobs
from tapes_app.management.arguments import option
from tapes_app.management.command import Answer, StudioCommand
from tapes_app.projects.services.people import Person


class Command(StudioCommand):
    help = (
        "Make a tiny base model from scratch: a tokenizer, a corpus of copying and looking up, "
        "and a few minutes of training on two cores. The same recipe gives the same model, and "
        "is not made twice."
    )

    arguments = (
        option("--name", metavar="NAME", default="tiny-base", help="default tiny-base"),
        option("--steps", metavar="N", type=int, default=2400, help="default 2400"),
        option("--width", metavar="N", type=int, default=128, help="default 128"),
        option("--layers", metavar="N", type=int, default=4, help="default 4"),
        option("--seed", metavar="N", type=int, default=0),
        option(
            "--reach",
            choices=("near", "far"),
            default="near",
            help="far: look up what stands hundreds of tokens away (default near)",
        ),
    )

    def work(self, person: Person, options: dict[str, Any]) -> Answer:
        names = ("name", "steps", "width", "layers", "seed", "reach")
        try:
            recipe = BaseRecipe(**{name: options[name] for name in names})
        except ValidationError as error:
            raise InvalidInputError(f"--{first_reason(error)}.") from error
        job = jobs.finish(person, start_base_model(person, recipe).id)
        values = {"job": str(job.id), "state": job.state, **(job.result or {})}
        return Answer(job.message, values, is_done=job.state == "succeeded")
