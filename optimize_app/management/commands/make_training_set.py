"""Make a training set of the tapes that a query finds."""

from typing import Any

from pydantic import ValidationError

from optimize_app import job_kinds  # noqa: F401 - registers what is worked on here
from optimize_app.training_sets.services.request import Source, TrainingSetRequest
from optimize_app.training_sets.services.set_jobs import start_training_set
from optimize_app.training_sets.store.sets import find_set
from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.steps import first_reason
from tapes_app.management import jobs, named
from tapes_app.management.arguments import ANY_QUERY, NAME, option
from tapes_app.management.command import Answer, StudioCommand
from tapes_app.projects.services.people import Person


class Command(StudioCommand):
    help = (
        "Make a training set of tapes: one example for each LLM call that led to their steps, "
        "split by task into what is learnt and what is held out, frozen under its hash."
    )

    arguments = (
        NAME,
        ANY_QUERY,
        option(
            "--rebuilt",
            action="store_true",
            help="rebuild each call from the tape by its agent, so that edited steps count",
        ),
        option(
            "--edits",
            action="store_true",
            help="make preference pairs: what a person wrote against what the model had answered",
        ),
        option(
            "--relabeled",
            action="store_true",
            help="have a teacher answer the prompts that the student of these tapes came to",
        ),
        option(
            "--teacher", metavar="NAME", help="model that relabels; else the one its agent names"
        ),
        option(
            "--join",
            metavar="NAME",
            nargs="+",
            default=[],
            help="training sets whose examples come first, of the same share and seed",
        ),
        option(
            "--writer",
            choices=("anyone", "person", "model"),
            default="anyone",
            help="whose answers are taken",
        ),
        option(
            "--held-out",
            metavar="SHARE",
            type=float,
            default=0.1,
            help="share of the tasks without a split that is held out (default 0.1)",
        ),
        option("--seed", metavar="N", type=int, default=0, help="which tasks are held out"),
    )

    def work(self, person: Person, options: dict[str, Any]) -> Answer:
        project = person.project_id
        if sum(options[source] for source in ("edits", "rebuilt", "relabeled")) > 1:
            raise InvalidInputError("Give one of --edits, --rebuilt and --relabeled.")
        try:
            request = TrainingSetRequest(
                name=options["name"],
                q=options["query"],
                source=_source_of(options),
                teacher_id=named.find_model(person, name) if (name := options["teacher"]) else None,
                joined=tuple(find_set(name, project).id for name in options["join"]),
                writer=options["writer"],
                held_out_share=options["held_out"],
                seed=options["seed"],
            )
        except ValidationError as error:
            raise InvalidInputError(f"{first_reason(error)}.") from error
        job = jobs.finish(person, start_training_set(person, request).id)
        if job.state != "succeeded" or job.result is None:
            return Answer(job.message, {"job": str(job.id), "state": job.state}, is_done=False)
        for reason in job.result["left_out"]:
            self.tell(f"left out {reason['tape_count']}: {reason['why']}")
        held_out = job.result["held_out_count"]
        summary = f"{job.message} {held_out} more are held out."
        return Answer(summary, {"job": str(job.id), **job.result})


def _source_of(options: dict[str, Any]) -> Source:
    if options["edits"]:
        return "edits"
    if options["relabeled"]:
        return "relabeled"
    return "rebuilt" if options["rebuilt"] else "recorded"
