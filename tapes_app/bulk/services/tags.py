"""Tags: people sort tapes by words of their own."""

from collections.abc import Sequence

from tapes_app.bulk.store import tags as tag_storage
from tapes_app.bulk.store.tags import clean_tag
from tapes_app.bulk.store.undo_log import UndoableChange
from tapes_app.engine.errors import InvalidInputError
from tapes_app.library.services.selection import TapeSelection, count_selection
from tapes_app.projects.services.people import Person


def change_tags(
    person: Person, selection: TapeSelection, *, add: Sequence[str], remove: Sequence[str]
) -> UndoableChange:
    """Put tags on tapes and take others off; children that exist or come later are not touched.

    Raises:
        NotFoundError: not all of the named tapes are in the project.
        InvalidInputError: a tag has no name or too long a one, is both put on and taken off, or
            there is none at all.
    """
    wanted = {clean_tag(name) for name in add}
    unwanted = {clean_tag(name) for name in remove}
    both = sorted(wanted & unwanted)
    if both:
        raise InvalidInputError(f"Tag {both[0]!r} cannot be both added and removed.")
    if not wanted and not unwanted:
        raise InvalidInputError("Choose at least one tag to add or remove.")
    count_selection(person, selection)
    return tag_storage.change_tags(
        person.project_id,
        selection.to_filter(),
        add=sorted(wanted),
        remove=sorted(unwanted),
        owner=person.user_id,
    )
