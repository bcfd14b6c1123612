"""Import files or folders of tapes and LLM calls."""

from pathlib import Path
from typing import Any

from tapes_app.exchange.services.import_files import import_files
from tapes_app.exchange.services.import_report import (
    MOST_UNMAPPED,
    ImportReport,
    describe_report,
    summarize,
)
from tapes_app.interchange.folders import ImportFile, collect_files, folder_name
from tapes_app.lint.services.linting import lint_and_keep, list_stale_tapes
from tapes_app.management.arguments import option
from tapes_app.management.command import Answer, StudioCommand
from tapes_app.projects.domain.wording import count_of
from tapes_app.projects.services.people import Person


class Command(StudioCommand):
    help = (
        "Import tapes and LLM calls: TapeAgents JSON, YAML and tapedata.sqlite, and OpenAI chat "
        "JSONL or message lists, plain or gzipped, and .eval logs of Inspect."
    )

    arguments = (
        option("paths", metavar="PATH", nargs="+", type=Path),
        option(
            "--llm-calls",
            metavar="FILE",
            type=Path,
            help="database with the LLM calls of the tapes",
        ),
        option(
            "--batch",
            metavar="NAME",
            default="",
            help="name of the batch (default: the name of the folder)",
        ),
    )

    def work(self, person: Person, options: dict[str, Any]) -> Answer:
        batches = _group_by_batch(options["paths"], options["batch"], options["llm_calls"])
        reports = []
        for name, files in batches.items():
            report = import_files(person.project_id, files, batch_name=name, owner=person.user_id)
            self._list_refused(report)
            if report.batch_id is not None:
                ids = list_stale_tapes(person.project_id, batch_id=report.batch_id)
                for _ in lint_and_keep(person.project_id, ids):
                    pass
            for what, count in report.unmapped.most_common(MOST_UNMAPPED):
                self.print_line(
                    f"kept, but not shown in a step: {what} ({count_of(count, 'tape')})"
                )
            reports.append(report)
        return _answer(reports)

    def _list_refused(self, report: ImportReport) -> None:
        for refused in report.refused:
            place = f" ({refused.position})" if refused.position else ""
            word = "rejected" if refused.is_mistake else "skipped"
            self.print_line(f"{word}: {refused.file}: {refused.reason}{place}")


def _group_by_batch(
    paths: list[Path], batch: str, llm_calls: Path | None
) -> dict[str, list[ImportFile]]:
    groups: dict[str, list[ImportFile]] = {}
    for path in paths:
        groups.setdefault(batch or folder_name(path), []).extend(collect_files(path))
    if llm_calls is not None:
        for files in groups.values():
            files[:0] = collect_files(llm_calls)
    return groups


def _answer(reports: list[ImportReport]) -> Answer:
    total = ImportReport(batch_name=", ".join(report.batch_name for report in reports))
    for report in reports:
        total.imported += report.imported
        total.already_there += report.already_there
        total.llm_calls += report.llm_calls
        total.llm_calls_already_there += report.llm_calls_already_there
        total.refused += report.refused
        total.unmapped += report.unmapped
        total.attacks_left_out += report.attacks_left_out
    values = describe_report(total)
    del values["batch_id"], values["batch_name"]
    values["batches"] = [describe_report(report) for report in reports]
    is_done = all(report.is_complete for report in reports)
    return Answer(summarize(total), values, is_done=is_done)
