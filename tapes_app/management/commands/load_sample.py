"""Load the sample project: two agents and the tapes that they make."""

import json
from typing import Any

from django.core.management.base import CommandParser

from tapes_app.agents.services.sample_project import load_sample
from tapes_app.management.shell import ShellCommand


class Command(ShellCommand):
    help = (
        "Register the bundled agents and run them to create a few tapes; running it again "
        "changes nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one JSON object instead")

    def handle(self, *args: Any, **options: Any) -> None:
        report = load_sample()
        if options["json"]:
            tapes = [str(tape_id) for tape_id in report.tape_ids]
            self.stdout.write(json.dumps({"agents": report.agents, "tape_ids": tapes}))
        elif options["verbosity"]:
            names = ", ".join(f"{name} (version {v})" for name, v in report.agents.items())
            self.stdout.write(f"Sample agents: {names}; {len(report.tape_ids)} tapes created.")
