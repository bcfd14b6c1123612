"""Print a completion script for a shell."""

from typing import Any

from django.core.management.base import CommandParser

from studio.command_line.completion import SHELLS, write_script
from tapes_app.management.shell import ShellCommand


class Command(ShellCommand):
    needs_tables = False
    help = (
        "Print a script that completes commands and options in your shell: "
        'eval "$(manage.py completion bash)" in ~/.bashrc, or zsh in ~/.zshrc.'
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("shell", choices=SHELLS)

    def handle(self, *args: object, shell: str, **options: Any) -> None:
        self.stdout.write(write_script(shell), ending="")
