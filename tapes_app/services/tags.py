"""Tags: people sort tapes by words of their own."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from tapes_app.engine.errors import InvalidInputError
from tapes_app.services.people import Person
from tapes_app.services.tape_selection import TapeSelection, count_selection
from tapes_app.storage import tags as tag_storage
from tapes_app.storage.kept_changes import Change
from tapes_app.storage.tags import TagCount, clean_tag


def list_tags(person: Person) -> list[TagCount]:
    """Return all tags of the project by name."""
    return tag_storage.list_tags(person.project_id)


def change_tags(
    person: Person, selection: TapeSelection, *, add: Sequence[str], remove: Sequence[str]
) -> Change:
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
        raise InvalidInputError(f"Tag {both[0]!r} cannot be added and removed at once.")
    if not wanted and not unwanted:
        raise InvalidInputError("Name at least one tag to add or to remove.")
    count_selection(person, selection)
    return tag_storage.change_tags(
        person.project_id,
        selection.to_filter(),
        add=sorted(wanted),
        remove=sorted(unwanted),
        owner=person.user_id,
    )


def undo_tag_change(person: Person, change_id: UUID) -> int:
    """Take a change back and return how many tapes that touched.

    Raises:
        NotFoundError: it was taken back already, or is too old.
    """
    return tag_storage.undo_tag_change(change_id, person.project_id)
