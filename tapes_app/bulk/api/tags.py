"""`/tapes/tags` and `/tapes/changes`: changing many tapes in the same way, and undoing that."""

from uuid import UUID

from pydantic import Field

from tapes_app.bulk.services import tape_changes
from tapes_app.bulk.services.tape_changes import TapeChange
from tapes_app.bulk.store import tags as tags_store
from tapes_app.bulk.store.tags import TagCount
from tapes_app.bulk.store.undo_log import UndoableChange
from tapes_app.library.services.selection import TapeSelection, count_selection
from tapes_app.projects.api.bodies import Out
from tapes_app.projects.api.people import PersonRequest, make_router

router = make_router("tags")


class TagChangeIn(TapeSelection):
    """Which tapes get and lose which tags; tags are stored in lower case."""

    add: list[str] = Field(default_factory=list, max_length=50)
    remove: list[str] = Field(default_factory=list, max_length=50)


class TapeChangeIn(TapeSelection):
    """Which tapes to change, and how."""

    change: TapeChange


class TapeCountOut(Out):
    tape_count: int


@router.post("/count", response=TapeCountOut)
def count_tapes(request: PersonRequest, body: TapeSelection) -> TapeCountOut:
    """Count the tapes that a bulk action would apply to."""
    return TapeCountOut(tape_count=count_selection(request.auth, body))


@router.get("/tags", response=list[TagCount])
def list_tags(request: PersonRequest) -> list[TagCount]:
    """List the project's tags with the number of tapes that have them."""
    return tags_store.list_tags(request.auth.project_id)


@router.post("/tags", response=UndoableChange)
def change_tags(request: PersonRequest, body: TagChangeIn) -> UndoableChange:
    """Add tags to tapes and remove others, for named tapes or all of a list."""
    return tape_changes.change_tags(request.auth, body, add=body.add, remove=body.remove)


@router.post("/tags/{change_id}/undo", response=TapeCountOut)
def undo_tag_change(request: PersonRequest, change_id: UUID) -> TapeCountOut:
    """Undo exactly what a tag change changed; once, within a day."""
    return TapeCountOut(tape_count=tape_changes.undo_change(request.auth, change_id, of="tags"))


@router.post("/changes", response=UndoableChange)
def change_tapes(request: PersonRequest, body: TapeChangeIn) -> UndoableChange:
    """Pin, archive, delete or mark tapes for training, named ones or all of a list."""
    return tape_changes.change_tapes(request.auth, body, body.change)


@router.post("/changes/{change_id}/undo", response=TapeCountOut)
def undo_tape_change(request: PersonRequest, change_id: UUID) -> TapeCountOut:
    """Restore the previous values of the tapes of a change; once, within a day."""
    return TapeCountOut(tape_count=tape_changes.undo_change(request.auth, change_id, of="tapes"))
