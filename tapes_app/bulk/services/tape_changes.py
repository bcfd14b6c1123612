"""Pinning, archiving, deleting, marking and tagging many tapes in one go; undoing any change."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, Self, cast, get_args
from uuid import UUID

from django.db import transaction
from pydantic import BaseModel, ConfigDict, model_validator

from tapes_app.bulk.store import dataset_tapes, tags, tape_changes
from tapes_app.bulk.store.tags import clean_tag
from tapes_app.bulk.store.tape_changes import ChangeName
from tapes_app.bulk.store.undo_log import KeptChange, UndoableChange, take_change
from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.tape.tape import Split
from tapes_app.library.services.selection import TapeSelection, count_selection
from tapes_app.projects.services.people import Person


class TapeChange(BaseModel):
    """How to change each tape; exactly one change, so that it can be undone as one."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    is_pinned: bool | None = None
    is_archived: bool | None = None
    is_deleted: Literal[True] | None = None
    """Removes tapes from the lists; a tape with children stays, unless they are deleted too."""

    is_kept_from_training: bool | None = None
    split: Split | None = None

    @model_validator(mode="after")
    def _check_one(self) -> Self:
        if len(self.set_fields) != 1:
            raise InvalidInputError("Choose exactly one thing to change.", field="change")
        return self

    @property
    def set_fields(self) -> dict[str, Any]:
        return self.model_dump(exclude_none=True)


def change_tapes(person: Person, selection: TapeSelection, change: TapeChange) -> UndoableChange:
    """Change tapes in the same way; report the tapes that cannot be changed, by reason.

    Raises:
        NotFoundError: not all of the named tapes are in the project.
        QueryError: the query cannot be parsed.
    """
    count_selection(person, selection)
    [(name, value)] = change.set_fields.items()
    return tape_changes.change_tapes(
        person.project_id,
        selection.to_filter(),
        cast("ChangeName", name),
        value,
        owner=person.user_id,
    )


def change_tags(
    person: Person, selection: TapeSelection, *, add: Sequence[str], remove: Sequence[str]
) -> UndoableChange:
    """Add tags to tapes and remove others; their children, existing or later, are not touched.

    Raises:
        NotFoundError: not all of the named tapes are in the project.
        InvalidInputError: a tag is empty or too long, is both added and removed, or there is no
            tag at all.
    """
    wanted = {clean_tag(name) for name in add}
    unwanted = {clean_tag(name) for name in remove}
    both = sorted(wanted & unwanted)
    if both:
        raise InvalidInputError(f"Tag {both[0]!r} cannot be both added and removed.")
    if not wanted and not unwanted:
        raise InvalidInputError("Choose at least one tag to add or remove.")
    count_selection(person, selection)
    return tags.change_tags(
        person.project_id,
        selection.to_filter(),
        add=sorted(wanted),
        remove=sorted(unwanted),
        owner=person.user_id,
    )


class _Undo(NamedTuple):
    names: tuple[str, ...]
    restore: Callable[[UUID, KeptChange], int]


_UNDO: Mapping[str, _Undo] = {
    "tapes": _Undo(get_args(ChangeName), tape_changes.restore),
    "tags": _Undo((tags.TAGS,), tags.restore),
    "datasets": _Undo((dataset_tapes.ADDED, dataset_tapes.REMOVED), dataset_tapes.restore),
}


@transaction.atomic
def undo_change(
    person: Person, change_id: UUID, *, of: Literal["tapes", "tags", "datasets"]
) -> int:
    """Undo exactly what a change changed; return how many tapes that affected.

    Raises:
        NotFoundError: no such change in this project, it was undone, it is a day old, or its
            dataset is deleted.
    """
    undo = _UNDO[of]
    return undo.restore(person.project_id, take_change(change_id, person.project_id, undo.names))
