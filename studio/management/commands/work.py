"""Start only this machine's workers."""

from argparse import ArgumentParser

from studio.workers import run_workers
from tapes_app.management.shell import ShellCommand


class Command(ShellCommand):
    help = (
        "Start workers that finetune, one for each GPU, on a machine that shares database, Redis "
        "and the artefact store with the studio: docs/more-machines.md."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--agents",
            action="store_true",
            help="also start one that runs agents, imports and exports",
        )

    def handle(self, *args: object, agents: bool, **options: object) -> None:
        run_workers(self._say, runs_agents=agents)

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()
