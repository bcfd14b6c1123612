"""Distil a teacher into a student over several rounds, and wait for the end."""

from dataclasses import asdict
from typing import Any

from django.core.management.base import CommandParser

from optimize_app import job_kinds  # noqa: F401 - registers what is worked on here
from optimize_app.distillation.request import DistillationRequest
from optimize_app.distillation.services.distillations import DistillationRow, load_distillation
from optimize_app.distillation.services.starting import start_distillation
from optimize_app.finetune.request import TRAIN_QUEUE
from optimize_app.finetune.store.adapters import find_adapter
from optimize_app.finetune.trainer.presets import PRESETS
from optimize_app.serving.request import SERVE_QUEUE
from optimize_app.training_sets.services.request import TeacherBudget
from tapes_app.engine.errors import NotFoundError
from tapes_app.jobs.domain.protocol import FINAL_STATES
from tapes_app.management import jobs, named
from tapes_app.management.arguments import (
    NAME,
    NEEDED_QUERY,
    option,
    read_settings,
    refusing_misfits,
    settings_option,
    to_micro_usd,
)
from tapes_app.management.command import Answer, StudioCommand
from tapes_app.projects.domain.wording import count_of
from tapes_app.projects.services.people import Person


class Command(StudioCommand):
    help = (
        "Distil a teacher into a student (DAgger): in each round the student runs the tasks, the "
        "teacher labels every state that it reached, the labels join the training set, and the "
        "base model is finetuned on it again. The teacher drives the first round."
    )

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        # Django's own --version is replaced: here it selects the agent's version.
        return super().create_parser(prog_name, subcommand, conflict_handler="resolve", **kwargs)

    arguments = (
        NAME,
        NEEDED_QUERY,
        option("--agent", metavar="NAME", required=True),
        option("--version", metavar="N", type=int, dest="number", help="default: the newest"),
        option("--base", metavar="NAME", required=True, help="base model, or a name on the hub"),
        option("--teacher", metavar="NAME", help="model that labels; else the one of the agent"),
        option(
            "--from",
            metavar="ADAPTER",
            dest="adapter",
            help="adapter that drives the first round; the set that it learnt is joined",
        ),
        option("--rounds", metavar="N", type=int, default=3),
        option(
            "--mixing",
            metavar="SHARE",
            type=float,
            default=0.0,
            help="share of the tasks that the teacher drives in round 2; its square in round 3",
        ),
        option("--labels", metavar="N", type=int, help="budget: answers of the teacher"),
        option("--dollars", metavar="AMOUNT", type=float, help="budget of the teacher"),
        option("--preset", choices=tuple(PRESETS), default="tiny"),
        settings_option('what differs from the preset, such as epochs=2 or lora={"rank":8}'),
        option("--max-turns", metavar="N", type=int, help="limit for each run"),
        option("--held-out", metavar="SHARE", type=float, help="share of the tasks not learnt"),
        option("--seed", metavar="N", type=int, help="decides which tasks are held out"),
    )

    def work(self, person: Person, options: dict[str, Any]) -> Answer:
        job = start_distillation(person, _read_request(person, options))
        with jobs.working_on(SERVE_QUEUE), jobs.working_on(TRAIN_QUEUE):
            jobs.work_until(lambda: load_distillation(person, job.id).state in FINAL_STATES)
        shown = load_distillation(person, job.id)
        for one in shown.rounds:
            driven = ", ".join(f"{batch.name!r} by the {batch.driver}" for batch in one.batches)
            self.print_line(f"round {one.number}: {driven}; {count_of(one.labels, 'label')}")
        return Answer(shown.message, _to_values(shown), is_done=shown.state == "succeeded")


def _to_values(shown: DistillationRow) -> dict[str, Any]:
    return {
        "job": str(shown.job_id),
        "state": shown.state,
        "labels": shown.labels,
        "cost_micro_usd": shown.micro_usd,
        "rounds": [
            {
                key: str(value) if key.endswith("_id") else value
                for key, value in asdict(one).items()
            }
            for one in shown.rounds
        ],
    }


def _read_request(person: Person, options: dict[str, Any]) -> DistillationRequest:
    plain = {"max_turns": "max_turns", "held_out_share": "held_out", "seed": "seed"}
    asked = {field: options[name] for field, name in plain.items() if options[name] is not None}
    teacher = options["teacher"]
    with refusing_misfits():
        return DistillationRequest(
            name=options["name"],
            q=options["query"],
            agent_version_id=named.find_version(person, options["agent"], options["number"]),
            base=options["base"],
            teacher_id=named.find_model(person, teacher) if teacher else None,
            adapter_id=_find_adapter(person, options["adapter"]),
            rounds=options["rounds"],
            mixing=options["mixing"],
            budget=TeacherBudget(
                labels=options["labels"],
                micro_usd=to_micro_usd(options["dollars"]),
            ),
            preset=options["preset"],
            options=read_settings(options["set"]),
            **asked,
        )


def _find_adapter(person: Person, name: str | None) -> Any:
    if name is None:
        return None
    adapter = find_adapter(name, person.project_id)
    if adapter is None:
        raise NotFoundError(f"There is no adapter {name!r}.")
    return adapter.id
