"""Start the whole studio: web server, workers and sweeper."""

import argparse

from django.conf import settings

from studio.start_options import add_start_options
from studio.supervisor import may_open_browser, run_studio
from tapes_app.management.shell import ShellCommand


class Command(ShellCommand):
    needs_tables = False
    help = "Start the whole studio and print the address with a one-time sign-in link."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_start_options(parser)

    def handle(self, *args: object, no_browser: bool, reload: bool, **options: object) -> None:
        run_studio(
            self._say,
            opens_browser=not no_browser and may_open_browser(),
            reloads=reload or settings.DEBUG,
        )

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()
