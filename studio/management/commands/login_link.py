"""Print a fresh one-time sign-in link."""

import argparse

from django.core.management.base import BaseCommand

from studio.instance_lock import read_address
from studio.logins import create_login_token


class Command(BaseCommand):
    help = "Print a one-time link that signs you in."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--url", default=None, help="address of the studio")

    def handle(self, *args: object, url: str | None, **options: object) -> None:
        self.stdout.write(f"{url or read_address()}/login/{create_login_token()}")
