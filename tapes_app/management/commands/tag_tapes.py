"""Add tags to many tapes, and remove others."""

from typing import Any

from tapes_app.bulk.services.tape_changes import change_tags
from tapes_app.management import output
from tapes_app.management.arguments import QUERY, UNDO_OF_A_DAY, one_of, option, select_tapes
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
            return output.undo(person, options["undo"], of="tags")
        selection = select_tapes(options["query"])
        change = change_tags(person, selection, add=options["add"], remove=options["remove"])
        return output.describe_change(change)
