"""Run a tape N times from one place, wait for the runs to end, and report how many pass."""

from typing import Any

from tapes_app.experiments.domain.check_kinds import TextCheck
from tapes_app.experiments.services.experiments import load_experiment, start_experiment
from tapes_app.experiments.services.request import ExperimentRequest
from tapes_app.management import jobs, named, output
from tapes_app.management.arguments import option
from tapes_app.management.command import Answer, StudioCommand
from tapes_app.projects.services.people import Person
from tapes_app.runs.domain.request import Budget


class Command(StudioCommand):
    help = "Fork a tape N times, run every branch, and report the results."

    arguments = (
        option("name", metavar="NAME", help="agent"),
        option("--tape", metavar="ID", required=True, help="tape to fork"),
        option("--at", metavar="K", type=int, nargs="+", help="number of steps each branch keeps"),
        option("--times", metavar="N", type=int, default=5, help="runs per fork point"),
        option("--model", metavar="NAME", nargs="+", default=[], help="models"),
        option("--temperature", metavar="T", type=float, nargs="+", default=[]),
        option(
            "--contains",
            metavar="TEXT",
            default="",
            help="a branch passes if its final text contains this",
        ),
        option("--tokens", metavar="COUNT", type=int, help="budget of all runs"),
    )

    def work(self, person: Person, options: dict[str, Any]) -> Answer:
        started = start_experiment(
            person, named.find_tape(person, options["tape"]), _read(person, options)
        )
        jobs.work_until(lambda: not load_experiment(person, started.row.id).row.unfinished_count)
        shown = load_experiment(person, started.row.id)
        for branch in shown.branches:
            verdict = _describe_verdict(branch.passed)
            self.print_line(f"{branch.number:4} {branch.state:13} {verdict} {branch.outcome}")
        group = shown.summary.arms[0].group
        rate = group.pass_rate
        result = "none judged"
        if rate is not None:
            result = (
                f"{group.passed} of {group.judged} pass "
                f"({rate.low:.0%} to {rate.high:.0%} at 95 % confidence)"
            )
        values = {
            "experiment": str(shown.row.id),
            "branches": len(shown.branches),
            "judged": group.judged,
            "passed": group.passed,
            "tokens": shown.spent.tokens,
            **output.cost_values(
                shown.spent.micro_usd,
                is_known=all(branch.is_cost_known for branch in shown.branches),
            ),
            "stopped": shown.row.stopped_reason,
        }
        states = {branch.state for branch in shown.branches}
        summary = f"Experiment {shown.row.id}: {len(shown.branches)} branches, {result}."
        return Answer(summary, values, is_done=states <= {"succeeded", "waiting"})


def _read(person: Person, options: dict[str, Any]) -> ExperimentRequest:
    agent = named.find_agent(person, options["name"])
    check = TextCheck(kind="contains", text=options["contains"]) if options["contains"] else None
    return ExperimentRequest(
        agent_version_id=agent.default_version_id,
        at=tuple(options["at"]) if options["at"] else None,
        model_ids=tuple(named.find_model(person, name) for name in options["model"]) or (None,),
        temperatures=tuple(options["temperature"]) or (None,),
        repeats=options["times"],
        budget=Budget(tokens=options["tokens"]),
        check=check,
    )


def _describe_verdict(passed: bool | None) -> str:  # noqa: FBT001 - the judgment itself
    return {True: "passes", False: "fails ", None: "-     "}[passed]
