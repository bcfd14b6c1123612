"""Run a tape N times from one place, wait for the end, and say how many pass."""

from typing import Any
from uuid import UUID

from django.core.management.base import CommandParser

from tapes_app.experiments.checks import TextCheck
from tapes_app.experiments.services.experiments import (
    ExperimentDetail,
    load_experiment,
    start_experiment,
)
from tapes_app.experiments.services.request import ExperimentRequest
from tapes_app.management.command_line import (
    Answer,
    StudioCommand,
    find_agent_named,
    find_model_named,
    find_tape,
)
from tapes_app.management.queue_work import work_until
from tapes_app.projects.services.people import Person
from tapes_app.runs.request import Budget


class Command(StudioCommand):
    help = "Fork a tape N times, run every branch, and report the results."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("name", metavar="NAME", help="agent")
        parser.add_argument("--tape", metavar="ID", required=True, help="tape to fork")
        parser.add_argument(
            "--at", metavar="K", type=int, nargs="+", help="number of steps each branch keeps"
        )
        parser.add_argument("--times", metavar="N", type=int, default=5, help="runs per fork point")
        parser.add_argument("--model", metavar="NAME", nargs="+", default=[], help="models")
        parser.add_argument("--temperature", metavar="T", type=float, nargs="+", default=[])
        parser.add_argument(
            "--contains",
            metavar="TEXT",
            default="",
            help="a branch passes if its final text contains this",
        )
        parser.add_argument("--tokens", metavar="COUNT", type=int, help="token budget for all runs")

    def work(self, person: Person, options: dict[str, Any]) -> Answer:
        started = start_experiment(
            person, find_tape(person, options["tape"]), _read(person, options)
        )
        shown = _finish(person, started.row.id)
        for branch in shown.branches:
            row = branch.row
            self.tell(f"{row.number:4} {branch.state:13} {_say(row.passed)} {row.outcome}")
        group = shown.summary.arms[0].group
        rate = group.pass_rate
        said = "none judged"
        if rate is not None:
            said = (
                f"{group.passed} of {group.judged} pass "
                f"({rate.low:.0%} to {rate.high:.0%} at 95 % confidence)"
            )
        values = {
            "experiment": str(shown.row.id),
            "branches": len(shown.branches),
            "judged": group.judged,
            "passed": group.passed,
            "tokens": shown.spent.tokens,
            "cost_micro_usd": shown.spent.micro_usd,
            "stopped": shown.row.stopped_reason,
        }
        states = {branch.state for branch in shown.branches}
        summary = f"Experiment {shown.row.id}: {len(shown.branches)} branches, {said}."
        return Answer(summary, values, is_done=states <= {"succeeded", "waiting"})


def _read(person: Person, options: dict[str, Any]) -> ExperimentRequest:
    agent = find_agent_named(person, options["name"])
    check = TextCheck(kind="contains", text=options["contains"]) if options["contains"] else None
    return ExperimentRequest(
        agent_version_id=agent.latest_version_id,
        at=tuple(options["at"]) if options["at"] else None,
        model_ids=tuple(find_model_named(person, name) for name in options["model"]) or (None,),
        temperatures=tuple(options["temperature"]) or (None,),
        repeats=options["times"],
        budget=Budget(tokens=options["tokens"]),
        check=check,
    )


def _finish(person: Person, experiment_id: UUID) -> ExperimentDetail:
    """Work on the queue here until every branch rests; workers elsewhere help."""
    work_until(lambda: not load_experiment(person, experiment_id).row.unfinished_count)
    return load_experiment(person, experiment_id)


def _say(passed: bool | None) -> str:  # noqa: FBT001 - the judgment itself
    return {True: "passes", False: "fails ", None: "-     "}[passed]
