"""Put tags on many tapes, and take others off."""

from typing import Any

from django.core.management.base import CommandParser

from tapes_app.bulk.services.tags import change_tags
from tapes_app.bulk.services.undo import undo_change
from tapes_app.management.command_line import (
    Answer,
    StudioCommand,
    read_id,
    select_tapes,
    tell_change,
    tell_taken_back,
)
from tapes_app.projects.services.people import Person


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
            return tell_taken_back(undo_change(person, read_id(options["undo"]), of="tags"))
        selection = select_tapes(options["query"])
        change = change_tags(person, selection, add=options["add"], remove=options["remove"])
        return tell_change(change)
