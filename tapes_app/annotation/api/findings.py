"""`/tapes/{id}/lint/notes`: findings of the linter that are kept as notes."""

from uuid import UUID

from ninja import Status

from tapes_app.annotation.api.annotation_schemas import KeptFindingIn, KeptFindingOut
from tapes_app.annotation.services import finding_notes as lint_notes
from tapes_app.projects.api.people import PersonRequest, created, make_router

of_tapes = make_router("linter")


@of_tapes.post("/{tape_id}/lint/notes", response=created(KeptFindingOut))
def keep_finding(
    request: PersonRequest, tape_id: UUID, body: KeptFindingIn
) -> Status[KeptFindingOut]:
    """Write a finding as a note by the linter; what was kept of it before is replaced."""
    kept = lint_notes.keep_finding(request.auth, tape_id, body.detector, body.position)
    return Status(201, KeptFindingOut(annotation_id=kept))
