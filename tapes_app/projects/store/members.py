"""Who is in a project, and in which role."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, get_args
from uuid import UUID

from django.db import transaction
from django.db.models import Count, F, Q
from django.utils import timezone

from tapes_app.engine.errors import ConflictError, InvalidInputError, NotFoundError
from tapes_app.models import AccessTokenRecord, MembershipRecord, ProjectRecord
from tapes_app.projects.domain.rows import Role

ROLES: dict[str, Role] = {role: role for role in get_args(Role)}


@dataclass(frozen=True, slots=True)
class MemberRow:
    """A person as the other members of a project see them."""

    user_id: int
    name: str
    role: Role
    is_you: bool
    last_seen_at: datetime | None
    """Accurate to a minute; `None`: never."""

    token_count: int
    """The person's valid access tokens in this project."""


def list_members(project: UUID, asker: int) -> list[MemberRow]:
    """Return the people of a project by name."""
    members = MembershipRecord.objects.filter(project_id=project, user__is_active=True)
    counts = _count_tokens(project)
    return [
        MemberRow(
            user_id=user_id,
            name=name,
            role=ROLES[role],
            is_you=user_id == asker,
            last_seen_at=seen,
            token_count=counts.get(user_id, 0),
        )
        for user_id, name, role, seen in members.order_by("user__username").values_list(
            "user_id", "user__username", "role", "last_seen_at"
        )
    ]


@transaction.atomic
def add_member(project: UUID, user_id: int, role: Role) -> None:
    """Add a person to a project.

    Raises:
        ConflictError: they are already in it.
    """
    _, is_new = MembershipRecord.objects.get_or_create(
        project_id=project, user_id=user_id, defaults={"role": role}
    )
    if not is_new:
        raise ConflictError("You are already in this project.")


@transaction.atomic
def change_role(project: UUID, user_id: int, role: Role) -> None:
    """Give a person in a project another role.

    Raises:
        NotFoundError: the person is not in the project.
        InvalidInputError: there is no such role.
        ConflictError: the project would be left without an owner.
    """
    if role not in ROLES:
        raise InvalidInputError(f"There is no role {role!r}; available: {', '.join(ROLES)}.")
    member = _lock_member(project, user_id)
    if role != "owner":
        _check_other_owner(member)
    member.role = role
    member.save(update_fields=["role"])


@transaction.atomic
def remove_member(project: UUID, user_id: int) -> None:
    """Remove a person from a project, and revoke the tokens that they have in it.

    Raises:
        NotFoundError: the person is not in the project.
        ConflictError: the project would be left without an owner.
    """
    member = _lock_member(project, user_id)
    _check_other_owner(member)
    AccessTokenRecord.objects.filter(project_id=project, owner_id=user_id).delete()
    member.delete()


def mark_seen(project: UUID, user_id: int) -> None:
    """Record that a person was here just now."""
    member = MembershipRecord.objects.filter(project_id=project, user_id=user_id)
    member.update(last_seen_at=timezone.now())


def _lock_member(project: UUID, user_id: int) -> Any:
    """Return a membership, locked: other changes of roles in the project wait."""
    locked = ProjectRecord.objects.select_for_update(no_key=True).filter(id=project)
    list(locked.values_list("id", flat=True))
    member = MembershipRecord.objects.filter(project_id=project, user_id=user_id).first()
    if member is None:
        raise NotFoundError("This person is not in the project.", user_id=user_id)
    return member


def _check_other_owner(member: Any) -> None:
    owners = MembershipRecord.objects.filter(
        project_id=member.project_id, role="owner", user__is_active=True
    )
    if member.role == "owner" and not owners.exclude(user_id=member.user_id).exists():
        raise ConflictError("A project needs an owner; make somebody else an owner first.")


def _count_tokens(project: UUID) -> dict[int, int]:
    still_good = Q(expires_at__isnull=True) | Q(expires_at__gt=timezone.now())
    found = AccessTokenRecord.objects.filter(still_good, project_id=project, owner__isnull=False)
    counted = found.order_by().values(person=F("owner_id")).annotate(count=Count("id"))
    return {row["person"]: row["count"] for row in counted}
