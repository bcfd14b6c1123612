"""Pinning, archiving, deleting and marking many tapes at once, and taking that back."""

from typing import Any, Literal, Self, cast

from pydantic import BaseModel, ConfigDict, model_validator

from tapes_app.bulk.store import tape_changes as storage
from tapes_app.bulk.store.tape_changes import ChangeName
from tapes_app.bulk.store.undo_log import UndoableChange
from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.tape import Split
from tapes_app.library.services.selection import TapeSelection, count_selection
from tapes_app.projects.services.people import Person


class TapeChange(BaseModel):
    """What becomes of each tape; exactly one thing, so that it can be undone as one."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    is_pinned: bool | None = None
    is_archived: bool | None = None
    is_deleted: Literal[True] | None = None
    """Out of the lists; what others branched off stays, unless they go too."""

    is_kept_from_training: bool | None = None
    split: Split | None = None

    @model_validator(mode="after")
    def _check_one(self) -> Self:
        if len(self.said) != 1:
            raise InvalidInputError("Choose exactly one thing to change.", field="change")
        return self

    @property
    def said(self) -> dict[str, Any]:
        return self.model_dump(exclude_none=True)


def change_tapes(person: Person, selection: TapeSelection, change: TapeChange) -> UndoableChange:
    """Change tapes alike; what cannot be changed is left as it is and told by reason.

    Raises:
        NotFoundError: not all of the named tapes are in the project.
        QueryError: the query cannot be read.
    """
    count_selection(person, selection)
    [(name, value)] = change.said.items()
    return storage.change_tapes(
        person.project_id,
        selection.to_filter(),
        cast("ChangeName", name),
        value,
        owner=person.user_id,
    )
