"""Pause a sweep with what it has in progress, or let it continue."""

from typing import Any

from optimize_app.evaluation.services.sweeps.stopping import continue_sweep, pause_sweep
from optimize_app.evaluation.services.sweeps.sweeps import load_sweep
from tapes_app.management.arguments import option
from tapes_app.management.command import Answer, StudioCommand
from tapes_app.management.named import find_id
from tapes_app.projects.services.people import Person


class Command(StudioCommand):
    help = (
        "Pause a sweep: nothing more is started, and its runs are held at their next safe point. "
        "The time until it continues does not count against its limit."
    )
    arguments = (
        option("sweep", metavar="ID", help="id of the sweep's job"),
        option("--continue", action="store_true", help="continue from where it was paused"),
    )

    def work(self, person: Person, options: dict[str, Any]) -> Answer:
        sweep = find_id(person, options["sweep"], "job")
        change = continue_sweep if options["continue"] else pause_sweep
        job = change(person, sweep)
        row = load_sweep(person, job.id)
        words = "continues" if options["continue"] else "is being paused"
        return Answer(f"{row.name} {words}.", {"job": str(job.id), "state": row.state})
