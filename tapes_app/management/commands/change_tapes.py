"""Pin, archive, delete many tapes or mark them for training, and take that back."""

from typing import Any, get_args

from django.core.management.base import CommandParser

from tapes_app.bulk.services.tape_changes import TapeChange, change_tapes
from tapes_app.bulk.store import tape_changes
from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.tape import Split
from tapes_app.management.command_line import (
    Answer,
    StudioCommand,
    read_id,
    select_tapes,
    tell_change,
    tell_taken_back,
)
from tapes_app.projects.services.people import Person
from tapes_app.projects.wording import count_of

_CHANGES: dict[str, dict[str, Any]] = {
    "pin": {"is_pinned": True},
    "unpin": {"is_pinned": False},
    "archive": {"is_archived": True},
    "restore": {"is_archived": False},
    "delete": {"is_deleted": True},
    "keep_from_training": {"is_kept_from_training": True},
    "allow_training": {"is_kept_from_training": False},
}


class Command(StudioCommand):
    help = (
        "Pin, archive or delete the tapes that match a query, or mark them for training. "
        "Archived tapes match only if the query mentions them (is:archived)."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--query", "-q", metavar="QUERY", help="query, as in list_tapes")
        what = parser.add_mutually_exclusive_group(required=True)
        for name in _CHANGES:
            what.add_argument(f"--{name.replace('_', '-')}", action="store_true")
        what.add_argument("--split", choices=[name or "none" for name in get_args(Split)])
        what.add_argument("--undo", metavar="ID", help="undo a change made within the last day")

    def work(self, person: Person, options: dict[str, Any]) -> Answer:
        if options["undo"]:
            return tell_taken_back(
                tape_changes.undo_change(read_id(options["undo"]), person.project_id)
            )
        if options["query"] is None:
            raise InvalidInputError("Choose the tapes with --query; an empty query means all.")
        changed = change_tapes(person, select_tapes(options["query"]), _read_change(options))
        for reason, count in changed.left_out.items():
            self.tell(f"{count_of(count, 'tape')} skipped: {reason}")
        return tell_change(changed, left_out=dict(changed.left_out))


def _read_change(options: dict[str, Any]) -> TapeChange:
    if options["split"]:
        return TapeChange(split="" if options["split"] == "none" else options["split"])
    wanted = next(change for name, change in _CHANGES.items() if options[name])
    return TapeChange(**wanted)
