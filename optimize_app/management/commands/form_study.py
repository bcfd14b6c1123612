"""Distill the form filler from nothing, and report how good and how cheap its student is."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any
from uuid import UUID

from optimize_app import job_kinds  # noqa: F401 - registers what is worked on here
from optimize_app.case_study.services.study import ARMS, forecast, run_study
from optimize_app.case_study.settings import SIZES, StudySettings
from tapes_app.jobs.store.job import Job
from tapes_app.management import jobs
from tapes_app.management.arguments import (
    option,
    read_settings,
    refusing_misfits,
    settings_option,
)
from tapes_app.management.command import Answer, StudioCommand
from tapes_app.projects.services.people import Person


class Command(StudioCommand):
    help = (
        "Grow dialogue trees of three companies, let a student learn the teacher's good turns, and "
        "compare both in dialogues of three other companies. Everything is kept in a folder: "
        "repeat the command to go on after it was stopped."
    )

    arguments = (
        option("folder", metavar="FOLDER", type=Path, help="where the study is kept"),
        option("--size", choices=tuple(SIZES), default="small"),
        option("--seed", metavar="N", type=int, default=0),
        option("--teacher", metavar="MODEL", default="", help="LLM model; else the script"),
        option(
            "--student",
            metavar="BASE",
            default="",
            help="base model of the studio or name on the hub; else the tiny base",
        ),
        settings_option("what differs from the size, such as per_behaviour=20"),
        option("--dry-run", action="store_true", help="say what it would do and cost"),
    )

    def work(self, person: Person, options: dict[str, Any]) -> Answer:
        given = {name: options[name] for name in ("seed", "teacher", "student")}
        with refusing_misfits():
            settings = StudySettings.model_validate(
                {**SIZES[options["size"]], **given, **read_settings(options["set"])}
            )
        if options["dry_run"]:
            *lines, last = forecast(settings)
            for line in lines:
                self.print_line(line)
            return Answer(last, {"forecast": [*lines, last]})
        report = run_study(person, settings, options["folder"], self)
        rates = ", ".join(f"{arm} {report['arms'][arm]['greadth']:.1%}" for arm in ARMS)
        return Answer(f"GREADTH: {rates}. The report is {options['folder']}/report.md.", report)

    def say(self, line: str) -> None:
        """Print how far the study is."""
        self.print_line(line)
        self.stdout.flush()

    def note(self, line: str) -> None:
        """Print nothing: there would be a line for every few continuations."""

    def start(self, piece: str, start: Callable[[], Job]) -> UUID:
        """Start a job."""
        return start().id

    def finish(self, person: Person, job_id: UUID) -> Job:
        """Do a job here, and return it when it is over."""
        return jobs.finish(person, job_id)

    def working_on(self, queue: str) -> AbstractContextManager[None]:
        """Do jobs of a queue here during the body."""
        return jobs.working_on(queue)
