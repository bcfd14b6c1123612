"""Invitations: links by which people join a project, each valid for one person."""

import secrets
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from tapes_app.engine.errors import ConflictError, InvalidInputError, NotFoundError
from tapes_app.projects.domain.rows import Role
from tapes_app.projects.services.identities import Claims
from tapes_app.projects.services.members import check_owner
from tapes_app.projects.services.people import Person
from tapes_app.projects.services.tokens import digest_of
from tapes_app.projects.store import identities, invitations, members
from tapes_app.projects.store.invitations import InvitationRow, OpenInvitation

GOOD_FOR_DAYS = 7


@dataclass(frozen=True, slots=True)
class MadeInvitation:
    """A new invitation, the only time that its link is shown."""

    path: str
    """The link's path, after the address of the studio."""

    row: InvitationRow


def list_invitations(person: Person) -> list[InvitationRow]:
    """Return the invitations of the project that nobody has used yet.

    Raises:
        NotAllowedError: the person is not an owner.
    """
    check_owner(person, "see invitations")
    return invitations.list_invitations(person.project_id)


def invite(person: Person, role: Role) -> MadeInvitation:
    """Make a link by which one person may join the project in a role.

    Raises:
        NotAllowedError: the person is not an owner, or the request came with a token.
        ConflictError: the studio has no accounts, or too many invitations are open.
    """
    check_owner(person, "invite people")
    if not settings.STUDIO_ACCOUNTS:
        raise ConflictError("This studio is for one person; start it with STUDIO_ACCOUNTS=1.")
    token = secrets.token_urlsafe(32)
    row = invitations.create_invitation(
        person.project_id,
        person.user_id,
        role=role,
        digest=digest_of(token),
        expires_at=timezone.now() + timedelta(days=GOOD_FOR_DAYS),
    )
    return MadeInvitation(f"/invite/{token}", row)


def revoke_invitation(person: Person, invitation_id: UUID) -> None:
    """Revoke an invitation's link.

    Raises:
        NotAllowedError: the person is not an owner, or the request came with a token.
        NotFoundError: there is no such invitation in the project.
    """
    check_owner(person, "revoke invitations")
    invitations.revoke_invitation(invitation_id, person.project_id)


def find_invitation(token: str) -> OpenInvitation:
    """Return what a link invites to.

    Raises:
        NotFoundError: it is unknown, used, revoked or too old, or the studio has no accounts.
    """
    if not settings.STUDIO_ACCOUNTS:
        raise NotFoundError("This studio is for one person and takes no invitations.")
    found = invitations.find_invitation(digest_of(token))
    if found is None:
        raise NotFoundError(
            "This invitation has been used or revoked, or is too old; ask for a new one."
        )
    return found


@transaction.atomic
def accept(token: str, user_id: int) -> OpenInvitation:
    """Add a person who has an account to the project, and use up the invitation.

    Raises:
        NotFoundError: the invitation is no longer valid.
        ConflictError: the person is already in the project.
    """
    invitation = find_invitation(token)
    members.add_member(invitation.project_id, user_id, invitation.role)
    if not invitations.spend_invitation(invitation.id):
        raise NotFoundError("Somebody else has just used this invitation; ask for a new one.")
    return invitation


@transaction.atomic
def make_account(token: str, name: str, password: str) -> Any:
    """Create an account for a person with a link, and add them to the project.

    Raises:
        NotFoundError: the invitation is no longer valid.
        InvalidInputError: the name or the password cannot be used.
    """
    find_invitation(token)
    user, problems = _name_account(name)
    try:
        validate_password(password, user)
    except ValidationError as error:
        problems |= {"password": list(error.messages)}
    _refuse(problems)
    user.set_password(password)
    user.save()
    accept(token, user.pk)
    return user


@transaction.atomic
def make_account_of(token: str, name: str, claims: Claims) -> Any:
    """Create an account without a password for a person with a link who signs in by the provider.

    Raises:
        NotFoundError: the invitation is no longer valid.
        InvalidInputError: the name cannot be used.
        ConflictError: the person already has an account.
    """
    find_invitation(token)
    user, problems = _name_account(name)
    _refuse(problems)
    user.email = claims.email
    user.set_unusable_password()
    user.save()
    identities.bind(claims.issuer, claims.subject, user.pk)
    accept(token, user.pk)
    return user


def _name_account(name: str) -> tuple[Any, dict[str, list[str]]]:
    """Return an account that is not stored yet, and what is wrong with its name."""
    users = get_user_model()
    user = users(username=users.normalize_username(name.strip()))
    try:
        user.full_clean(exclude=["password"])
    except ValidationError as error:
        return user, {"name": list(error.messages)}
    return user, {}


def _refuse(problems: dict[str, list[str]]) -> None:
    if problems:
        first = next(iter(problems.values()))[0]
        raise InvalidInputError(first, **problems)
