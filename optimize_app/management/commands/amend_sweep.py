"""Give a sweep another budget, more attempts or tasks, or retry what failed, even while it runs."""

from typing import Any

from optimize_app import job_kinds  # noqa: F401 - registers what is worked on here
from optimize_app.evaluation.plan import SweepBudget
from optimize_app.evaluation.request import SweepAmendment
from optimize_app.evaluation.services.sweeps.forecast import forecast_amendment
from optimize_app.evaluation.services.sweeps.starting import amend_sweep
from optimize_app.evaluation.services.sweeps.sweeps import load_sweep
from optimize_app.management.sweep_arguments import BUDGET, print_forecast, read_budget
from tapes_app.management.arguments import QUERY, option, refusing_misfits, select_tapes
from tapes_app.management.command import Answer, StudioCommand
from tapes_app.management.named import find_id
from tapes_app.projects.services.people import Person


class Command(StudioCommand):
    help = (
        "Give a sweep another budget, more attempts or tasks, or retry it, while it runs or "
        "afterwards; what it has done is reused. The studio's workers continue it. A "
        "limit that is not named stays as it is."
    )
    arguments = (
        option("sweep", metavar="ID", help="id of the sweep's job"),
        *BUDGET,
        option("--seed", metavar="N", type=int, action="append", help="one more attempt with each"),
        option("--repeats", metavar="N", type=int, default=0, help="more attempts without a seed"),
        QUERY,
        option("--retry", action="store_true", help="run again what failed or was stopped"),
        option(
            "--preview",
            action="store_true",
            help="print how many runs that would be and what they may cost, and change nothing",
        ),
    )

    def work(self, person: Person, options: dict[str, Any]) -> Answer:
        sweep = find_id(person, options["sweep"], "job")
        before = load_sweep(person, sweep).budget
        limits = read_budget(options)
        with refusing_misfits():
            amendment = SweepAmendment(
                seeds=tuple(options["seed"] or ()),
                repeats=options["repeats"],
                tasks=select_tapes(options["query"]) if options["query"] else None,
                budget=SweepBudget(**{**before.model_dump(), **limits}) if limits else None,
                retry=options["retry"],
            )
        if options["preview"]:
            return print_forecast(self.print_line, forecast_amendment(person, sweep, amendment))
        job = amend_sweep(person, sweep, amendment)
        row = load_sweep(person, job.id)
        budget = row.budget.model_dump(exclude_none=True)
        return Answer(
            f"{row.name}: {row.run_count:,} runs are requested, {row.done_count:,} are done.",
            {"job": str(job.id), "state": row.state, "run_count": row.run_count, "budget": budget},
        )
