"""Put tags on many tapes, and take others off."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from tapes_app.management.command_line import Answer, StudioCommand, read_id, select_tapes
from tapes_app.services.import_report import count_of
from tapes_app.services.people import Person
from tapes_app.services.tags import change_tags, undo_tag_change


class Command(StudioCommand):
    help = "Put tags on the tapes that fit a query, as list_tapes takes it, and take others off."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        chosen = parser.add_mutually_exclusive_group(required=True)
        chosen.add_argument("--query", "-q", metavar="QUERY", help="as list_tapes")
        chosen.add_argument("--undo", metavar="ID", help="take a change of the last day back")
        parser.add_argument("--add", metavar="TAG", nargs="+", default=[])
        parser.add_argument("--remove", metavar="TAG", nargs="+", default=[])

    def work(self, person: Person, options: dict[str, Any]) -> Answer:
        if options["undo"]:
            count = undo_tag_change(person, read_id(options["undo"]))
            return Answer(f"Taken back on {count_of(count, 'tape')}.", {"changed": count})
        selection = select_tapes(options["query"])
        change = change_tags(person, selection, add=options["add"], remove=options["remove"])
        values = {
            "tapes": change.tape_count,
            "changed": change.changed_count,
            "undo": str(change.id) if change.id else None,
        }
        summary = f"{count_of(change.changed_count, 'tape')} of {change.tape_count} changed"
        undo = f"; --undo {change.id} takes it back" if change.id else ""
        return Answer(f"{summary}{undo}.", values)
