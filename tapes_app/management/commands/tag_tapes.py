"""Put tags on many tapes, and take others off."""

from typing import Any

from tapes_app.bulk.services.tags import change_tags
from tapes_app.bulk.services.undo import undo_change
from tapes_app.management import named, output
from tapes_app.management.arguments import (
    QUERY,
    UNDO_OF_A_DAY,
    one_of,
    option,
    select_tapes,
)
from tapes_app.management.command import Answer, StudioCommand
from tapes_app.projects.services.people import Person


class Command(StudioCommand):
    help = "Add tags to the tapes that match a query, and remove others."

    arguments = (
        one_of(QUERY, UNDO_OF_A_DAY, is_required=True),
        option("--add", metavar="TAG", nargs="+", default=[]),
        option("--remove", metavar="TAG", nargs="+", default=[]),
    )

    def work(self, person: Person, options: dict[str, Any]) -> Answer:
        if options["undo"]:
            count = undo_change(person, named.find_id(person, options["undo"], "change"), of="tags")
            return output.tell_taken_back(count)
        selection = select_tapes(options["query"])
        change = change_tags(person, selection, add=options["add"], remove=options["remove"])
        return output.tell_change(change)
