"""`/invitations`: links by which people join the project. For owners."""

from uuid import UUID

from ninja import Status

from tapes_app.projects.api.bodies import In
from tapes_app.projects.api.people import PersonRequest, created, emptied, make_router
from tapes_app.projects.domain.rows import Items, Role
from tapes_app.projects.services import invitations
from tapes_app.projects.services.invitations import MadeInvitation
from tapes_app.projects.store.invitations import InvitationRow

router = make_router("people")


class InvitationIn(In):
    role: Role = "member"


@router.get("", response=Items[InvitationRow])
def list_invitations(request: PersonRequest) -> Items[InvitationRow]:
    """List the invitations that nobody has used yet."""
    return Items(invitations.list_invitations(request.auth))


@router.post("", response=created(MadeInvitation))
def invite(request: PersonRequest, body: InvitationIn) -> Status[MadeInvitation]:
    """Create a link that one person can use within 7 days. Only this answer contains it."""
    return Status(201, invitations.invite(request.auth, body.role))


@router.delete("/{invitation_id}", response=emptied())
def revoke_invitation(request: PersonRequest, invitation_id: UUID) -> Status[None]:
    """Revoke a link."""
    invitations.revoke_invitation(request.auth, invitation_id)
    return Status(204, None)
