"""Put tags on many tapes, and take others off."""

from typing import Any

from django.core.management.base import CommandParser

from tapes_app.bulk.services.tags import change_tags
from tapes_app.bulk.store import tags
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
    help = "Add tags to the tapes that match a query, and remove others."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        chosen = parser.add_mutually_exclusive_group(required=True)
        chosen.add_argument("--query", "-q", metavar="QUERY", help="query, as in list_tapes")
        chosen.add_argument("--undo", metavar="ID", help="undo a change made within the last day")
        parser.add_argument("--add", metavar="TAG", nargs="+", default=[])
        parser.add_argument("--remove", metavar="TAG", nargs="+", default=[])

    def work(self, person: Person, options: dict[str, Any]) -> Answer:
        if options["undo"]:
            return tell_taken_back(
                tags.undo_tag_change(read_id(options["undo"]), person.project_id)
            )
        selection = select_tapes(options["query"])
        change = change_tags(person, selection, add=options["add"], remove=options["remove"])
        return tell_change(change)
