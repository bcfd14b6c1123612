"""Score a finished sweep by another scorer, wait for the end, and print the result."""

from typing import Any

from optimize_app import job_kinds  # noqa: F401 - registers what is worked on here
from optimize_app.evaluation.services.reports.report import load_report
from optimize_app.evaluation.services.reports.report_files import describe_decision
from optimize_app.evaluation.services.scoring.scoring import ScoringJob, start_scoring
from optimize_app.management.commands.evaluate import describe_variant, report_values
from optimize_app.management.scorer_arguments import read_scoring
from tapes_app.management import jobs
from tapes_app.management.arguments import option, refusing_misfits
from tapes_app.management.command import Answer, StudioCommand
from tapes_app.management.named import find_id
from tapes_app.projects.services.people import Person


class Command(StudioCommand):
    help = (
        "Score the attempts of a sweep by another scorer; nothing is run again. Attempts that it "
        "cannot decide are missing."
    )
    arguments = (
        option("sweep", metavar="ID", help="id of the sweep's job"),
        option("--scorer", metavar="JSON", required=True, help='such as {"kind": "contains"}'),
        option(
            "--expected-now",
            action="store_true",
            help="use the current expected answers, not those at the start of the sweep",
        ),
    )

    def work(self, person: Person, options: dict[str, Any]) -> Answer:
        with refusing_misfits():
            request = read_scoring(
                options["scorer"], expected="now" if options["expected_now"] else "frozen"
            )
        assert request is not None
        sweep = find_id(person, options["sweep"], "job")
        job = start_scoring(person, sweep, request)
        ended = jobs.finish(person, job.id)
        by = ScoringJob.model_validate(job.request).scoring_id
        report = load_report(person, sweep, by=by)
        for one in report.variants:
            self.print_line(describe_variant(one))
        if report.result_before:
            self.print_line(report.result_before)
        self.print_line(f"Decided by: {describe_decision(report)}")
        sentences = " ".join(one.sentence for one in report.variants if one.sentence)
        is_done = ended.state == "succeeded"
        answer = sentences or ended.message if is_done else ended.message
        return Answer(answer, report_values(report), is_done=is_done)
