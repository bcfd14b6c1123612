"""`/people` and `/membership`: the people in the project, and the person's own membership."""

from typing import Annotated

from ninja import Path, Status

from tapes_app.projects.api.bodies import In
from tapes_app.projects.api.people import LARGEST, PersonRequest, emptied, make_router
from tapes_app.projects.domain.rows import Items, Role
from tapes_app.projects.services import members
from tapes_app.projects.store.members import MemberRow

router = make_router("people")
membership_router = make_router("people", is_personal=True)

UserId = Annotated[int, Path(ge=0, le=LARGEST)]


class RoleIn(In):
    role: Role


@router.get("", response=Items[MemberRow])
def list_members(request: PersonRequest) -> Items[MemberRow]:
    """List the people of the project by name."""
    return Items(members.list_members(request.auth))


@router.patch("/{user_id}", response=emptied())
def change_role(request: PersonRequest, user_id: UserId, body: RoleIn) -> Status[None]:
    """Change somebody's role. For owners."""
    members.change_role(request.auth, user_id, body.role)
    return Status(204, None)


@router.delete("/{user_id}", response=emptied())
def remove_member(request: PersonRequest, user_id: UserId) -> Status[None]:
    """Remove somebody from the project; their tokens for it are revoked. For owners."""
    members.remove_member(request.auth, user_id)
    return Status(204, None)


@membership_router.delete("", response=emptied())
def leave(request: PersonRequest) -> Status[None]:
    """Leave the project."""
    members.leave(request.auth)
    return Status(204, None)
