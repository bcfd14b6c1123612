"""Invitations as rows: found by the digest of their link's token."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils import timezone

from tapes_app.engine.errors import ConflictError
from tapes_app.models import InvitationRecord
from tapes_app.projects.domain.rows import Role, Row, row_of
from tapes_app.projects.store.members import ROLES
from tapes_app.projects.store.records import get_record

MOST_INVITATIONS = 100
"""Open invitations per project: a list that is shown in full needs a limit."""


@dataclass(frozen=True, slots=True)
class InvitationRow:
    """What is stored about an invitation, without its link."""

    id: UUID
    role: Role
    invited_by: str
    created_at: datetime
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class OpenInvitation:
    """An invitation as seen by the person who opens its link."""

    id: UUID
    project_id: UUID
    project: str
    role: Role
    invited_by: str


def list_invitations(project: UUID) -> list[InvitationRow]:
    """Return the invitations of a project that nobody has used yet, newest first."""
    records = _open(project_id=project).order_by("-created_at", "-id")
    return [_row(InvitationRow, record) for record in records]


def create_invitation(
    project: UUID, owner: int, *, role: Role, digest: str, expires_at: datetime
) -> InvitationRow:
    """Store a new invitation; expired ones are deleted.

    Raises:
        ConflictError: the project has too many.
    """
    InvitationRecord.objects.filter(project_id=project, expires_at__lte=timezone.now()).delete()
    if _open(project_id=project).count() >= MOST_INVITATIONS:
        raise ConflictError(
            f"There are {MOST_INVITATIONS} open invitations; revoke some that nobody will use."
        )
    record = InvitationRecord.objects.create(
        project_id=project, owner_id=owner, role=role, digest=digest, expires_at=expires_at
    )
    return _row(InvitationRow, record)


def revoke_invitation(invitation_id: UUID, project: UUID) -> None:
    """Delete an invitation, which makes its link invalid.

    Raises:
        NotFoundError: the project has no such invitation.
    """
    found = InvitationRecord.objects.filter(project_id=project)
    get_record(found, "There is no such invitation.", invitation_id=invitation_id).delete()


def find_invitation(digest: str) -> OpenInvitation | None:
    """Return what a link invites to; `None` if it is unknown, used, revoked or too old."""
    found = _open(digest=digest, project__archived_at__isnull=True)
    record = found.select_related("project").first()
    if record is None:
        return None
    return _row(OpenInvitation, record, project=record.project.name)


def spend_invitation(invitation_id: UUID) -> bool:
    """Use up an invitation; of several callers that race for it, exactly one gets `True`."""
    count: int = _open(id=invitation_id).delete()[0]
    return count == 1


def _open(**named: Any) -> Any:
    records = InvitationRecord.objects.filter(expires_at__gt=timezone.now(), **named)
    return records.select_related("owner")


def _row(kind: type[Row], record: InvitationRecord, **others: str) -> Row:
    inviter = record.owner.get_username() if record.owner is not None else ""
    return row_of(kind, record, role=ROLES[record.role], invited_by=inviter, **others)
