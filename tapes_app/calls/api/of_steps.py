"""`/tapes/{id}/calls`: the LLM call behind a step."""

from typing import Annotated
from uuid import UUID

from ninja import Path

from tapes_app.calls.services import calls
from tapes_app.calls.services.calls import CallDetail
from tapes_app.projects.api.people import PersonRequest, make_router

MAX_PAGE = 500
LONGEST_OUTLINE = 2_000
MAX_TAPES = 200
_LARGEST = 2**31 - 1
Position = Annotated[int, Path(ge=0, le=_LARGEST)]
router = make_router("tapes")


@router.get("/{tape_id}/steps/{position}/call", response=CallDetail)
def show_call(request: PersonRequest, tape_id: UUID, position: Position) -> CallDetail:
    """Give the LLM call behind a step: exact prompt, output, tokens and prices."""
    return calls.load_call_of_step(request.auth, tape_id, position)


@router.get("/{tape_id}/calls/{call_id}", response=CallDetail)
def show_call_by_id(request: PersonRequest, tape_id: UUID, call_id: UUID) -> CallDetail:
    return calls.load_call(request.auth, tape_id, call_id)
