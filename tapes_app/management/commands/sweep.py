"""Keep the jobs table tidy: requeue lost jobs, nudge workers, prune old event logs."""

import signal
from typing import Any

from django.core.management.base import CommandParser

from tapes_app.jobs.domain.stop_request import StopRequest
from tapes_app.jobs.services.sweeper import sweep, sweep_until
from tapes_app.jobs.store.log import prune_finished_logs
from tapes_app.management.shell import ShellCommand


class Command(ShellCommand):
    help = "Queue jobs whose worker vanished, nudge for waiting ones, prune finished logs."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--once", action="store_true", help="run once and exit")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["once"]:
            report, pruned = sweep(), prune_finished_logs()
            self.stdout.write(
                f"Requeued {report.taken_back_count} jobs, woke {len(report.nudged_queues)} "
                f"queues, pruned {pruned} events."
            )
            return
        stopped = StopRequest()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stopped.set())
        sweep_until(stopped)
