"""Export a tape, a batch or what a query finds, with LLM calls."""

from pathlib import Path
from typing import Any, get_args

from tapes_app.exchange.services.export_jobs import file_name_of
from tapes_app.exchange.services.export_request import ENDINGS, SPLITS, CsvColumn, ExportRequest
from tapes_app.exchange.services.export_targets import FolderTarget
from tapes_app.exchange.services.export_writing import read_pages, write_export, write_files
from tapes_app.exchange.services.exports import ExportReport
from tapes_app.exchange.services.shares import share_into
from tapes_app.library.domain.tape_query.parser import parse_query
from tapes_app.library.store.plans import TapeFilter
from tapes_app.management import named
from tapes_app.management.arguments import one_of, option
from tapes_app.management.command import Answer, StudioCommand
from tapes_app.projects.domain.wording import count_of
from tapes_app.projects.services.people import Person

TO_READ = ("html", "markdown")
FORMATS = (*(one for one in ENDINGS if one != "project"), *TO_READ)
_AS_FOLDER = ("tapeagents", *TO_READ)


class Command(StudioCommand):
    help = (
        "Export tapes and their LLM calls as files that can be imported again without loss; "
        "with --format html or markdown, as readable files; with openai, sharegpt or "
        "preferences, as one training file; with csv or parquet, as a table."
    )

    arguments = (
        one_of(
            option("--tape", metavar="ID"),
            option("--batch", metavar="NAME"),
            option("--all", action="store_true", help="every tape"),
            option("--query", "-q", metavar="QUERY", help="every tape that matches the query"),
            is_required=True,
        ),
        option("--format", choices=FORMATS, default=FORMATS[0]),
        option("--out", metavar="DIR", type=Path, required=True),
        option(
            "--split",
            choices=tuple(SPLITS),
            default="train",
            help="split to export in a training format; train includes tapes without a split",
        ),
        option(
            "--columns",
            metavar="NAME",
            nargs="+",
            choices=get_args(CsvColumn),
            help=f"columns of csv and parquet, in this order: {', '.join(get_args(CsvColumn))}",
        ),
        option("--with-annotations", action="store_true", help="include notes, scores and labels"),
    )

    def work(self, person: Person, options: dict[str, Any]) -> Answer:
        out: Path = options["out"]
        if options["format"] not in _AS_FOLDER:
            return self._write_one(person, options, out)
        report = _export(person, options, FolderTarget(out))
        for name in report.files:
            self.print_line(name)
        summary = (
            f"{count_of(report.tapes, 'tape')} and {count_of(report.llm_calls, 'LLM call')} "
            f"written as {count_of(len(report.files), 'file')} to {str(out)!r}."
        )
        values = {
            "tapes": report.tapes,
            "llm_calls": report.llm_calls,
            "files": list(report.files),
            "out": str(out),
        }
        return Answer(summary, values)

    def _write_one(self, person: Person, options: dict[str, Any], out: Path) -> Answer:
        where, request = _choose(person, options), _read_request(options)
        name = file_name_of(request)
        path = FolderTarget(out).free_path(name)
        count = write_export(person.project_id, where, request, path, lambda _, __: None)
        left_out = [
            f"{count_of(number, 'tape')} omitted ({why})" for why, number in count.left_out.items()
        ]
        self.print_line(name)
        for what, number in count.lost.items():
            self.print_line(f"{number}: {what}")
        for tape_id, reason in count.unfit.items():
            self.print_line(f"{tape_id} omitted: {reason}")
        summary = f"{count_of(count.tapes, 'tape')} written to {str(out / name)!r}"
        values = {
            "tapes": count.tapes,
            "lines": count.lines,
            "lost": dict(count.lost),
            "left_out": dict(count.left_out),
            "unfit": {str(tape_id): reason for tape_id, reason in count.unfit.items()},
            "files": [name],
            "out": str(out),
        }
        return Answer("; ".join([summary, *left_out]) + ".", values, is_done=not count.unfit)


def _read_request(options: dict[str, Any]) -> ExportRequest:
    return ExportRequest(
        format=options["format"],
        split=options["split"],
        columns=options["columns"],
        with_annotations=options["with_annotations"],
    )


def _choose(person: Person, options: dict[str, Any]) -> TapeFilter:
    """Return the filter of the tapes to export, including archived ones."""
    if options["tape"] is not None:
        return TapeFilter(ids=(named.find_tape(person, options["tape"]),))
    query = options["query"] or ""
    if options["batch"]:
        query = f"batch:{named.find_batch(person, options['batch'])}"
    return TapeFilter(query=parse_query(query))


def _export(person: Person, options: dict[str, Any], target: FolderTarget) -> ExportReport:
    where = _choose(person, options)
    if options["format"] not in TO_READ:
        return write_files(
            person.project_id,
            where,
            target,
            with_annotations=options["with_annotations"],
            scratch=options["out"],
        )
    pages = read_pages(person.project_id, where)
    tape_ids = (row.id for page in pages for row in page)
    return share_into(person, tape_ids, options["format"], target)
