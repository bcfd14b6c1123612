"""`/tapes/tags` and `/tapes/changes`: changing many tapes alike, and taking that back."""

from uuid import UUID

from tapes_app.bulk.api.tag_schemas import TagChangeIn, TapeChangeIn, TapeCountOut
from tapes_app.bulk.services import tags, tape_changes
from tapes_app.bulk.services.undo import undo_change
from tapes_app.bulk.store import tags as tags_store
from tapes_app.bulk.store.tags import TagCount
from tapes_app.bulk.store.undo_log import UndoableChange
from tapes_app.library.services.selection import TapeSelection, count_selection
from tapes_app.projects.api.people import PersonRequest, make_router

router = make_router("tags")


@router.post("/count", response=TapeCountOut)
def count_tapes(request: PersonRequest, body: TapeSelection) -> TapeCountOut:
    """Count the tapes that a bulk action would be done with."""
    return TapeCountOut(tape_count=count_selection(request.auth, body))


@router.get("/tags", response=list[TagCount])
def list_tags(request: PersonRequest) -> list[TagCount]:
    """List the tags of the project with how many tapes have them."""
    return tags_store.list_tags(request.auth.project_id)


@router.post("/tags", response=UndoableChange)
def change_tags(request: PersonRequest, body: TagChangeIn) -> UndoableChange:
    """Put tags on tapes and take others off, on named tapes or on all of a list."""
    return tags.change_tags(request.auth, body, add=body.add, remove=body.remove)


@router.post("/tags/{change_id}/undo", response=TapeCountOut)
def undo_tag_change(request: PersonRequest, change_id: UUID) -> TapeCountOut:
    """Take a change of tags back, exactly what it changed; once, within a day."""
    return TapeCountOut(tape_count=undo_change(request.auth, change_id, of="tags"))


@router.post("/changes", response=UndoableChange)
def change_tapes(request: PersonRequest, body: TapeChangeIn) -> UndoableChange:
    """Pin, archive, delete or mark tapes for training, named ones or all of a list."""
    return tape_changes.change_tapes(request.auth, body, body.change)


@router.post("/changes/{change_id}/undo", response=TapeCountOut)
def undo_tape_change(request: PersonRequest, change_id: UUID) -> TapeCountOut:
    """Give the tapes of a change back what they had before; once, within a day."""
    return TapeCountOut(tape_count=undo_change(request.auth, change_id, of="tapes"))
