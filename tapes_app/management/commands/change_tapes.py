"""Pin, archive or delete many tapes, or mark them for training, and undo that."""

from typing import Any, get_args

from tapes_app.bulk.services.tape_changes import TapeChange, change_tapes
from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.tape.tape import Split
from tapes_app.management import output
from tapes_app.management.arguments import QUERY, UNDO_OF_A_DAY, one_of, option, select_tapes
from tapes_app.management.command import Answer, StudioCommand
from tapes_app.projects.services.people import Person

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

    arguments = (
        QUERY,
        one_of(
            *(option(f"--{name.replace('_', '-')}", action="store_true") for name in _CHANGES),
            option("--split", choices=[name or "none" for name in get_args(Split)]),
            UNDO_OF_A_DAY,
            is_required=True,
        ),
    )

    def work(self, person: Person, options: dict[str, Any]) -> Answer:
        if options["undo"]:
            return output.undo(person, options["undo"], of="tapes")
        if options["query"] is None:
            raise InvalidInputError("Choose the tapes with --query; an empty query means all.")
        changed = change_tapes(person, select_tapes(options["query"]), _read_change(options))
        self.print_skipped(changed.left_out.items(), "left")
        return output.describe_change(changed, left_out=dict(changed.left_out))


def _read_change(options: dict[str, Any]) -> TapeChange:
    if options["split"]:
        return TapeChange(split="" if options["split"] == "none" else options["split"])
    wanted = next(change for name, change in _CHANGES.items() if options[name])
    return TapeChange(**wanted)
