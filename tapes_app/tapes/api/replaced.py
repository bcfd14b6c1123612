"""`/tapes/{id}/replaced`: the parent's steps that a child has replaced."""

from uuid import UUID

from tapes_app.projects.api.people import PersonRequest, Position, make_router
from tapes_app.projects.domain.rows import Items
from tapes_app.tapes.services import replaced
from tapes_app.tapes.services.replaced import ReplacedDetail, ReplacedStep

router = make_router("editing")


@router.get("/{tape_id}/replaced", response=Items[ReplacedStep])
def list_replaced(request: PersonRequest, tape_id: UUID) -> Items[ReplacedStep]:
    """List the steps of a child that replace steps of its parent."""
    return Items(replaced.list_replaced(request.auth, tape_id))


@router.get("/{tape_id}/steps/{position}/replaced", response=ReplacedDetail)
def show_replaced(request: PersonRequest, tape_id: UUID, position: Position) -> ReplacedDetail:
    """Return the parent's step that this one replaces, and the words that differ."""
    return replaced.load_replaced(request.auth, tape_id, position)
