"""Export a tape or a batch with its LLM calls."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

from django.core.management.base import CommandParser

from tapes_app.engine.errors import InvalidInputError, NotFoundError
from tapes_app.management.command_line import Answer, StudioCommand, find_tape
from tapes_app.services.export_jobs import file_name_of
from tapes_app.services.export_request import ENDINGS, SPLITS, CsvColumn, ExportRequest
from tapes_app.services.export_writing import write_export
from tapes_app.services.exports import ExportReport, FolderTarget, export_batch, export_tapes
from tapes_app.services.import_report import count_of
from tapes_app.services.people import Person
from tapes_app.services.shares import share_into
from tapes_app.storage.batches import find_batch, list_tape_ids
from tapes_app.storage.rows import BatchRow

FILES = ("tapeagents", "html", "markdown")
FORMATS = (*FILES, *ENDINGS)


class Command(StudioCommand):
    help = (
        "Write tapes and their LLM calls as files that import again, equal as data; "
        "with --format html or markdown as files to be read; with openai, sharegpt or "
        "preferences as one file to train on; with csv or parquet as a table."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("--tape", metavar="ID")
        what.add_argument("--batch", metavar="NAME")
        what.add_argument("--all", action="store_true", help="every tape; not as files to be read")
        parser.add_argument("--format", choices=FORMATS, default=FORMATS[0])
        parser.add_argument("--out", metavar="DIR", type=Path, required=True)
        parser.add_argument(
            "--split",
            choices=tuple(SPLITS),
            default="train",
            help="of formats to train on; train takes tapes of no split too",
        )
        parser.add_argument(
            "--columns",
            metavar="NAME",
            nargs="+",
            choices=get_args(CsvColumn),
            help=f"of csv and parquet, in this order: {', '.join(get_args(CsvColumn))}",
        )
        parser.add_argument(
            "--with-annotations", action="store_true", help="notes, scores and labels too"
        )

    def work(self, person: Person, options: dict[str, Any]) -> Answer:
        out: Path = options["out"]
        if options["format"] in ENDINGS:
            return self._write_one(person, options, out)
        report = _export(person, options, FolderTarget(out))
        for name in report.files:
            self.tell(name)
        summary = (
            f"{count_of(report.tapes, 'tape')} and {count_of(report.llm_calls, 'LLM call')} "
            f"written as {count_of(len(report.files), 'file')} into {str(out)!r}."
        )
        values = {
            "tapes": report.tapes,
            "llm_calls": report.llm_calls,
            "files": list(report.files),
            "out": str(out),
        }
        return Answer(summary, values)

    def _write_one(self, person: Person, options: dict[str, Any], out: Path) -> Answer:
        request = _read_request(person, options)
        name = file_name_of(request)
        path = FolderTarget(out).free_path(name)
        count = write_export(person.project_id, request, path, lambda _, __: None)
        left_out = [
            f"{count_of(number, 'tape')} {why} left out" for why, number in count.left_out.items()
        ]
        self.tell(name)
        summary = f"{count_of(count.tapes, 'tape')} written into {str(out / name)!r}"
        values = {
            "tapes": count.tapes,
            "lines": count.lines,
            "left_out": dict(count.left_out),
            "files": [name],
            "out": str(out),
        }
        return Answer("; ".join([summary, *left_out]) + ".", values)


def _read_request(person: Person, options: dict[str, Any]) -> ExportRequest:
    batch = _load_batch(person, options["batch"]).id if options["batch"] else None
    tape = options["tape"]
    return ExportRequest(
        format=options["format"],
        tape_ids=(find_tape(person, tape),) if tape is not None else None,
        batch=batch,
        archived=None,
        split=options["split"],
        columns=options["columns"],
        with_annotations=options["with_annotations"],
    )


def _load_batch(person: Person, name: str) -> BatchRow:
    batch = find_batch(name, person.project_id)
    if batch is None:
        raise NotFoundError(f"There is no batch {name!r} in {person.project!r}.")
    return batch


def _export(person: Person, options: dict[str, Any], target: FolderTarget) -> ExportReport:
    project = person.project_id
    is_shared = options["format"] != FILES[0]
    if options["all"]:
        raise InvalidInputError(
            f"With --format {options['format']} give --tape or --batch; --all is for "
            f"{', '.join(ENDINGS)}."
        )
    if options["tape"] is not None:
        tape_ids = [find_tape(person, options["tape"])]
        if is_shared:
            return share_into(person, tape_ids, options["format"], target)
        return export_tapes(project, tape_ids, target)
    batch = _load_batch(person, options["batch"])
    if is_shared:
        return share_into(person, list_tape_ids(batch.id, project), options["format"], target)
    return export_batch(project, batch.id, target)
