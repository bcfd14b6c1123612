"""Print the JSON schema of the websocket's messages, the source of the front end's types."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from tapes_app.jobs.domain.protocol import build_schema
from tapes_app.management.shell import ShellCommand


class Command(ShellCommand):
    needs_tables = False
    help = "Write the JSON schema of the websocket protocol to a file or to standard output."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--out", type=Path, help="file to write (default: standard output)")

    def handle(self, *args: Any, **options: Any) -> None:
        text = json.dumps(build_schema(), indent=2, ensure_ascii=False)
        if options["out"] is None:
            self.stdout.write(text)
            return
        options["out"].write_text(text + "\n", encoding="utf-8")
        self.stdout.write(f"Wrote the protocol to {options['out']}.")
