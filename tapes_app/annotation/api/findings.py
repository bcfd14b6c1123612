"""`/tapes/{id}/lint/notes`: findings of the linter that are kept as notes."""

from typing import Annotated
from uuid import UUID

from ninja import Status
from pydantic import Field

from tapes_app.annotation.services import annotations
from tapes_app.projects.api.bodies import In, Line, Out
from tapes_app.projects.api.people import PersonRequest, created, make_router

of_tapes = make_router("linter")


class KeptFindingIn(In):
    """A detector's finding at a step."""

    detector: Annotated[Line, Field(min_length=1, max_length=110)]
    position: int = Field(ge=0, le=2**31 - 1)


class KeptFindingOut(Out):
    annotation_id: UUID


@of_tapes.post("/{tape_id}/lint/notes", response=created(KeptFindingOut))
def keep_finding(
    request: PersonRequest, tape_id: UUID, body: KeptFindingIn
) -> Status[KeptFindingOut]:
    """Save a finding as a note by the linter, replacing the note saved for it before."""
    kept = annotations.keep_finding(request.auth, tape_id, body.detector, body.position)
    return Status(201, KeptFindingOut(annotation_id=kept))
