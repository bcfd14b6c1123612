"""Write the results of a sweep into a file: its report, or a variant as an Inspect log."""

import shutil
from pathlib import Path
from typing import Any
from uuid import UUID

from optimize_app.evaluation.services.reports.inspect_export import export_log
from optimize_app.evaluation.services.reports.report import load_report
from optimize_app.evaluation.services.reports.report_files import describe_watched, write_report
from optimize_app.evaluation.services.sweeps.decisions import By
from optimize_app.management import suite_lines
from tapes_app.engine.errors import InvalidInputError
from tapes_app.management.arguments import option
from tapes_app.management.command import Answer, StudioCommand
from tapes_app.management.named import find_id, find_tape
from tapes_app.projects.services.people import Person

_LOG = ".eval"


class Command(StudioCommand):
    help = (
        "Write a sweep's results so far into a file, in the format of its suffix: every attempt "
        "as a row (.csv), all numbers (.json), the report as text (.md), or a variant as a log "
        "that Inspect reads (.eval)."
    )
    arguments = (
        option("sweep", metavar="ID", help="id of the sweep's job"),
        option("file", metavar="FILE", type=Path, help="what to write"),
        option(
            "--by",
            metavar="ID",
            help="the id of a scoring, or outcome; default: what the sweep was started with",
        ),
        option("--variant", metavar="A", help="with .eval: the letter of the variant"),
        option(
            "--task", metavar="ID", help="with .eval: only the attempts at this start tape, a cell"
        ),
    )

    def work(self, person: Person, options: dict[str, Any]) -> Answer:
        path: Path = options["file"]
        so_far: list[str] = []
        sweep = find_id(person, options["sweep"], "job")
        by = _read_by(options["by"])
        if path.suffix == _LOG:
            suite_lines.check_file(path)
            if not options["variant"]:
                raise InvalidInputError("An Inspect log has one variant; give --variant.")
            task = find_tape(person, options["task"]) if options["task"] else None
            log = export_log(person, sweep, options["variant"], by=by, task=task)
            try:
                shutil.copyfile(log.path, path)
            finally:
                log.remove()
        else:
            if options["variant"] or options["task"]:
                raise InvalidInputError("--variant and --task are for an Inspect log (.eval).")
            suite_lines.check_report_file(path)
            report = load_report(person, sweep, by=by, most_tasks=None)
            text = "".join(write_report(report, suite_lines.read_format(path)))
            suite_lines.write_file(path, text)
            so_far = list(describe_watched(report))
        written = f"{path} is written."
        return Answer(" ".join([written, *so_far]), {"file": str(path), "so_far": so_far})


def _read_by(text: str | None) -> By | None:
    if text is None:
        return None
    if text == "outcome":
        return "outcome"
    try:
        return UUID(text)
    except ValueError:
        raise InvalidInputError(f"--by {text!r} is neither a scoring's id nor outcome.") from None
