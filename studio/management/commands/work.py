"""Start this machine's workers for finetunes, and nothing else."""

from studio.workers import run_training_workers
from tapes_app.management.shell import ShellCommand


class Command(ShellCommand):
    help = (
        "Start workers of the queue train, one for each GPU, on a machine that shares database, "
        "Redis and the store of artefacts with the studio: docs/more-machines.md."
    )

    def handle(self, *args: object, **options: object) -> None:
        run_training_workers(self._say)

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()
