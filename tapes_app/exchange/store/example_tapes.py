"""What an import of examples asks of the store beyond saving tapes: their splits."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from tapes_app.engine.tape import Split
from tapes_app.models import TapeRecord


def set_splits(tape_ids: Mapping[Split, Sequence[UUID]]) -> None:
    """Say what some new tapes are for; none of them is in a list yet that somebody undoes."""
    for split, ids in tape_ids.items():
        if split and ids:
            TapeRecord.objects.filter(id__in=ids).update(split=split)
