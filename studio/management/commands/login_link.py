"""Print a fresh one-time sign-in link."""

import argparse

from studio.instance_lock import read_address
from studio.logins import create_login_token
from tapes_app.management.shell import ShellCommand


class Command(ShellCommand):
    needs_tables = False
    help = "Print a one-time link that signs you in."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--url", default=None, help="address of the studio")

    def handle(self, *args: object, url: str | None, **options: object) -> None:
        self.stdout.write(f"{url or read_address()}/login/{create_login_token()}")
