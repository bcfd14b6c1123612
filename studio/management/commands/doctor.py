"""Check an install and print, line by line, what to do."""

import argparse
import json
from typing import Any

from studio.checks import Finding, run_checks
from tapes_app.management.shell import ShellCommand

_MARKS = {"ok": "ok   ", "warning": "note ", "failing": "FAIL "}


class Command(ShellCommand):
    needs_tables = False
    help = "Check the database, broker, workers, front end, model keys and disk."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: object, **options: Any) -> None:
        findings = run_checks()
        is_healthy = all(finding.state != "failing" for finding in findings)
        if options["json"]:
            self.stdout.write(json.dumps(describe(findings, is_healthy=is_healthy)))
        else:
            self._print(findings, is_healthy=is_healthy)
        if not is_healthy:
            raise SystemExit(1)

    def _print(self, findings: list[Finding], *, is_healthy: bool) -> None:
        for finding in findings:
            self.stdout.write(f"{_MARKS[finding.state]} {finding.name}: {finding.found}")
            if finding.advice:
                self.stdout.write(f"      {finding.advice}")
        failing = sum(finding.state == "failing" for finding in findings)
        summary = (
            "Everything works." if is_healthy else f"{failing} of {len(findings)} checks failed."
        )
        self.stdout.write(summary)


def describe(findings: list[Finding], *, is_healthy: bool) -> dict[str, Any]:
    return {
        "healthy": is_healthy,
        "findings": [
            {
                "name": finding.name,
                "state": finding.state,
                "found": finding.found,
                "advice": finding.advice,
            }
            for finding in findings
        ],
    }
