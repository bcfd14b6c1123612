"""Make a training set from the tapes that a query finds."""

from typing import Any

from optimize_app import job_kinds  # noqa: F401 - registers what is worked on here
from optimize_app.training_sets.services.request import MixturePart, Source, TrainingSetRequest
from optimize_app.training_sets.services.set_jobs import start_training_set
from optimize_app.training_sets.store.sets import find_set
from tapes_app.engine.errors import InvalidInputError
from tapes_app.lint.domain.findings import SEVERITIES
from tapes_app.management import jobs, named
from tapes_app.management.arguments import ANY_QUERY, NAME, option, refusing_misfits
from tapes_app.management.command import Answer, StudioCommand
from tapes_app.projects.domain.wording import count_of
from tapes_app.projects.services.people import Person

_SOURCES: tuple[Source, ...] = ("edits", "groups", "rebuilt", "relabeled")


class Command(StudioCommand):
    help = (
        "Make a training set from tapes: one example for each LLM call that led to their steps, "
        "split by task into what is learnt and what is held out, frozen under its hash."
    )

    arguments = (
        NAME,
        ANY_QUERY,
        option(
            "--base",
            metavar="NAME",
            default="",
            help="base model whose recorded tokens are learnt as they are, where calls have them",
        ),
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
            help="have a teacher answer the prompts that the student reached on these tapes",
        ),
        option(
            "--groups",
            action="store_true",
            help="weigh attempts at one place by their rewards: better ones are learnt, worse "
            "ones unlearnt",
        ),
        option(
            "--reward",
            choices=("outcome", "score", "annotations"),
            default="outcome",
            help="the reward that the attempts of a group are compared by",
        ),
        option(
            "--no-spread",
            action="store_true",
            help="do not divide rewards by their standard deviation (Dr. GRPO)",
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
            "--mix",
            metavar="NAME=SHARE",
            nargs="+",
            default=[],
            help="make a mixture of training sets instead, such as --mix good=70 edits=30",
        ),
        option(
            "--size",
            metavar="N",
            type=int,
            help="examples to learn in a mixture; sets that have too few are repeated",
        ),
        option(
            "--writer",
            choices=("anyone", "person", "model"),
            default="anyone",
            help="whose answers are taken",
        ),
        option(
            "--min-step-score",
            metavar="SCORE",
            type=float,
            help="leave out answers that led to a step which somebody scored lower; 0 is the "
            "bottom of each scale, 1 its top",
        ),
        option(
            "--without-findings",
            choices=SEVERITIES,
            help="leave out answers that led to a step in which the linter finds something of this "
            "severity, or of a graver one",
        ),
        option(
            "--held-out",
            metavar="SHARE",
            type=float,
            default=0.1,
            help="share of the tasks without a split that is held out (default 0.1)",
        ),
        option("--seed", metavar="N", type=int, default=0, help="decides which tasks are held out"),
    )

    def work(self, person: Person, options: dict[str, Any]) -> Answer:
        project = person.project_id
        if sum(bool(options[source]) for source in (*_SOURCES, "mix")) > 1:
            raise InvalidInputError(
                "Give one of --edits, --groups, --mix, --rebuilt and --relabeled."
            )
        with refusing_misfits():
            request = TrainingSetRequest(
                name=options["name"],
                q=options["query"],
                source=_source_of(options),
                base=options["base"],
                reward=options["reward"],
                divides_by_spread=not options["no_spread"],
                teacher_id=named.find_model(person, name) if (name := options["teacher"]) else None,
                mixture=tuple(_read_part(person, part) for part in options["mix"]),
                size=options["size"],
                joined=tuple(find_set(name, project).id for name in options["join"]),
                writer=options["writer"],
                minimum_step_score=options["min_step_score"],
                without_findings=options["without_findings"],
                held_out_share=options["held_out"],
                seed=options["seed"],
            )
        job = jobs.finish(person, start_training_set(person, request).id)
        if job.state != "succeeded" or job.result is None:
            return Answer(job.message, {"job": str(job.id), "state": job.state}, is_done=False)
        for reason in job.result["left_out"]:
            self.print_line(f"left out {reason['tape_count']}: {reason['why']}")
        for why, count in job.result["examples_left_out"].items():
            self.print_line(f"left out {count_of(count, 'LLM call')}: {why}")
        self._print_facts(job.result["facts"])
        held_out = job.result["held_out_count"]
        summary = f"{job.message} {held_out} more are held out."
        return Answer(summary, {"job": str(job.id), **job.result})

    def _print_facts(self, facts: dict[str, Any]) -> None:
        if facts["base"]:
            self.print_line(f"recorded tokens: {count_of(facts['recorded_count'], 'example')}")
        for reason in facts["rebuilt"]:
            self.print_line(f"text instead of recorded tokens {reason['count']}: {reason['why']}")
        if facts["group_count"] or facts["equal_group_count"]:
            learnt, equal = facts["group_count"], facts["equal_group_count"]
            self.print_line(f"groups: {learnt}; with equal rewards, left out: {equal}")
        for part in facts["parts"]:
            self.print_line(f"{part['name']}: {part['learnt_count']} of {part['available_count']}")


def _source_of(options: dict[str, Any]) -> Source:
    if options["mix"]:
        return "mixture"
    return next((source for source in _SOURCES if options[source]), "recorded")


def _read_part(person: Person, text: str) -> MixturePart:
    name, _, share = text.rpartition("=")
    try:
        weight = float(share) if name else 0.0
    except ValueError:
        weight = 0.0
    if not weight:
        raise InvalidInputError(f"{text!r} is not a part of a mixture; write NAME=SHARE.")
    return MixturePart(training_set_id=find_set(name, person.project_id).id, weight=weight)
