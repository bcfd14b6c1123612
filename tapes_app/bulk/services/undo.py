"""Taking back a change of many tapes, whatever was changed."""

from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple, get_args
from uuid import UUID

from django.db import transaction

from tapes_app.bulk.store import dataset_tapes, tags, tape_changes
from tapes_app.bulk.store.tape_changes import ChangeName
from tapes_app.bulk.store.undo_log import KeptChange, take_change
from tapes_app.projects.services.people import Person


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
    """Take a change back, exactly what it changed; return how many tapes that touched.

    Raises:
        NotFoundError: no such change in this project, or it was undone, or is a day old; or
            it is about a dataset that is deleted.
    """
    undo = _UNDO[of]
    return undo.restore(person.project_id, take_change(change_id, person.project_id, undo.names))
