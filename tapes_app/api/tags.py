"""`/tapes/tags` and `/tapes/changes`: changing many tapes alike, and taking that back."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from tapes_app.api.people import PersonRequest, found, make_router
from tapes_app.api.schemas import (
    ChangeOut,
    TagChangeIn,
    TagOut,
    TapeChangeIn,
    TapeChangeOut,
    TapeCountOut,
)
from tapes_app.services import tags, tape_changes
from tapes_app.services.tape_selection import TapeSelection, count_selection

router = make_router("tags")


@router.post("/count", response=found(TapeCountOut))
def count_tapes(request: PersonRequest, body: TapeSelection) -> Any:
    """Count the tapes that a bulk action would be done with."""
    return {"tape_count": count_selection(request.auth, body)}


@router.get("/tags", response=found(list[TagOut]))
def list_tags(request: PersonRequest) -> Any:
    """List the tags of the project with how many tapes have them."""
    return tags.list_tags(request.auth)


@router.post("/tags", response=found(ChangeOut))
def change_tags(request: PersonRequest, body: TagChangeIn) -> Any:
    """Put tags on tapes and take others off, on named tapes or on all of a list."""
    return tags.change_tags(request.auth, body, add=body.add, remove=body.remove)


@router.post("/tags/{change_id}/undo", response=found(TapeCountOut))
def undo_tag_change(request: PersonRequest, change_id: UUID) -> Any:
    """Take a change of tags back, exactly what it changed; once, within a day."""
    return {"tape_count": tags.undo_tag_change(request.auth, change_id)}


@router.post("/changes", response=found(TapeChangeOut))
def change_tapes(request: PersonRequest, body: TapeChangeIn) -> Any:
    """Pin, archive, delete or mark tapes for training, named ones or all of a list."""
    return tape_changes.change_tapes(request.auth, body, body.change)


@router.post("/changes/{change_id}/undo", response=found(TapeCountOut))
def undo_tape_change(request: PersonRequest, change_id: UUID) -> Any:
    """Give the tapes of a change back what they had before; once, within a day."""
    return {"tape_count": tape_changes.undo_change(request.auth, change_id)}
