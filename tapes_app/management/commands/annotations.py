"""List, add, import and delete notes, scores, labels and corrections."""

from dataclasses import asdict
from pathlib import Path
from typing import Any, get_args

from tapes_app.annotation.services import annotations
from tapes_app.annotation.services.annotations import Annotation
from tapes_app.annotation.services.checks import AnnotationValues, Scale
from tapes_app.annotation.services.lines import import_annotations
from tapes_app.annotation.store.rows import Anchor
from tapes_app.engine.errors import InvalidInputError
from tapes_app.management import named
from tapes_app.management.arguments import TAPE, one_of, option, read_file
from tapes_app.management.command import ActionCommand, Answer
from tapes_app.projects.domain.wording import count_of
from tapes_app.projects.services.people import Person

_FILE = option(
    "file",
    metavar="FILE",
    type=Path,
    help="annotations.jsonl from an export, or a file in the same format",
)
_ID = option("annotation", metavar="ID")
_ANCHOR = (
    option("--step", metavar="N", type=int, help="from 0; else the whole tape"),
    option("--field", metavar="POINTER", default="", help="in the step: /content, say"),
    option(
        "--span",
        metavar=("START", "END"),
        type=int,
        nargs=2,
        help="span of characters in the field",
    ),
)
_CONTENT = (
    one_of(
        option("--note", metavar="TEXT"),
        option("--label", metavar="NAME"),
        option("--score", metavar=("NAME", "VALUE"), nargs=2),
        option("--correction", metavar="TEXT", help="text that should replace the span"),
        is_required=True,
    ),
    option("--scale", choices=get_args(Scale), default="fraction", help="scale of the score"),
    option("--text", default="", help="reason for the score or label"),
)


class Command(ActionCommand):
    help = "List, add, import and delete notes, scores, labels and corrections on tapes."

    def add_actions(self) -> None:
        self.add_action("list", self._list, "list the annotations of a tape and its steps", TAPE)
        words = "annotate a tape, a step or a span of text"
        self.add_action("add", self._add, words, TAPE, *_ANCHOR, *_CONTENT)
        self.add_action("import", self._import, "import annotations", _FILE)
        self.add_action("delete", self._delete, "delete an annotation", TAPE, _ID)

    def _list(self, person: Person, options: dict[str, Any]) -> Answer:
        found = annotations.list_annotations(person, named.find_tape(person, options["tape"]))
        return self.print_rows(found, "annotation", lambda one: f"{one.id}  {_show(one)}", asdict)

    def _add(self, person: Person, options: dict[str, Any]) -> Answer:
        start, end = options["span"] or (None, None)
        added = annotations.add_annotation(
            person,
            named.find_tape(person, options["tape"]),
            Anchor(options["step"], options["field"], start, end),
            _read_values(options),
        )
        return Answer(f"{added.id}  {_show(added)}", asdict(added))

    def _import(self, person: Person, options: dict[str, Any]) -> Answer:
        report = import_annotations(person, read_file(options["file"]).split("\n"))
        for line in report.refused:
            self.print_line(f"rejected: line {line.number}: {line.reason}")
        parts = [f"{count_of(report.imported, 'annotation')} imported"]
        parts += [f"{report.already_there} already in the project"] if report.already_there else []
        parts += [f"{count_of(len(report.refused), 'line')} rejected"] if report.refused else []
        return Answer(f"{', '.join(parts)}.", asdict(report), is_done=not report.refused)

    def _delete(self, person: Person, options: dict[str, Any]) -> Answer:
        tape_id, annotation_id = (
            named.find_tape(person, options["tape"]),
            named.find_id(person, options["annotation"], "annotation"),
        )
        annotations.delete_annotation(person, tape_id, annotation_id)
        return Answer("Annotation deleted.", {"annotation": str(annotation_id)})


def _read_values(options: dict[str, Any]) -> AnnotationValues:
    text = options["text"]
    if options["score"] is not None:
        name, value = options["score"]
        return AnnotationValues("score", name, _read_number(value), options["scale"], text)
    if options["label"] is not None:
        return AnnotationValues("label", options["label"], text=text)
    if options["correction"] is not None:
        return AnnotationValues("correction", text=options["correction"])
    return AnnotationValues("note", text=options["note"])


def _read_number(text: str) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise InvalidInputError(f"{text!r} is not a number.") from error


def _show(one: Annotation) -> str:
    place = "tape" if one.position is None else f"step {one.position}{one.field}"
    if one.start is not None:
        place += f"[{one.start}:{one.end}]"
    parts = [one.kind, one.name, "" if one.value is None else f"{one.value:g}", one.text]
    return f"{place}: {' '.join(filter(None, parts))} ({one.source_name or one.source})"
