"""Access tokens: how scripts act for a person, in one project, without a browser.

A token has 256 random bits, so a plain SHA-256 of it is stored: there is nothing to guess that a
slow hash would protect (NIST SP 800-63B, 5.1.2.2, requires salt below 112 bits only).
"""

import hashlib
import secrets
from dataclasses import dataclass, replace
from datetime import timedelta
from uuid import UUID

from django.utils import timezone

from tapes_app.engine.errors import (
    InvalidInputError,
    NotAllowedError,
    NotFoundError,
    StudioError,
)
from tapes_app.projects.domain.columns import check_name
from tapes_app.projects.domain.rows import Role
from tapes_app.projects.services.people import Person, identify
from tapes_app.projects.store import tokens
from tapes_app.projects.store.tokens import NAME_LENGTH, Access, Bearer, TokenRow

PREFIX = "tst_"
"""The prefix of tokens, so that secret scanners recognise them."""

LONGEST_DAYS = 3650
_HINT_LENGTH = len(PREFIX) + 4


class InvalidTokenError(StudioError):
    """A token is unknown, expired or revoked."""

    code = "invalid_token"
    status = 401


@dataclass(frozen=True, slots=True)
class MadeToken:
    """A new token, the only time that it is shown."""

    token: str
    row: TokenRow


def list_tokens(person: Person) -> list[TokenRow]:
    """Return the person's own tokens in the project."""
    return tokens.list_tokens(person.project_id, person.user_id)


def make_token(person: Person, *, name: str, access: Access, days: int | None) -> MadeToken:
    """Create a token that is valid for `days`, or until it is revoked.

    Raises:
        NotAllowedError: a token is used to make another one, or a viewer asks for one that can
            write.
        InvalidInputError: the name is empty, or the days are too many or too few.
        ConflictError: the person already has one of this name.
    """
    _refuse_tokens(person)
    if days is not None and not 1 <= days <= LONGEST_DAYS:
        raise InvalidInputError(f"A token expires after 1 to {LONGEST_DAYS:,} days, or never.")
    if access == "write" and not person.can_write:
        raise NotAllowedError(
            f"You can only view project {person.project!r}; make a token that can only read."
        )
    token = PREFIX + secrets.token_urlsafe(32)
    row = tokens.create_token(
        person.project_id,
        person.user_id,
        name=check_name(name, NAME_LENGTH, "The token's name"),
        access=access,
        digest=digest_of(token),
        hint=token[:_HINT_LENGTH],
        expires_at=None if days is None else timezone.now() + timedelta(days=days),
    )
    return MadeToken(token, row)


def revoke_token(person: Person, token_id: UUID) -> TokenRow:
    """Revoke a token.

    Raises:
        NotFoundError: the person has no such token in this project.
        NotAllowedError: the request came with a token.
    """
    _refuse_tokens(person)
    return tokens.revoke_token(token_id, person.project_id, person.user_id)


def find_bearer(token: str) -> Bearer:
    """Return the person and project that a token stands for.

    Raises:
        InvalidTokenError: it is unknown, expired or revoked, or its person was disabled.
    """
    bearer = tokens.find_bearer(digest_of(token))
    if bearer is None:
        raise InvalidTokenError(
            "This token is unknown, expired or revoked; make a new one under Access tokens."
        )
    return bearer


def identify_bearer(bearer: Bearer, wanted_project: str = "") -> Person:
    """Return the person that a token stands for, in the one project that it is valid for.

    Raises:
        NotFoundError: another project was requested.
        InvalidTokenError: the person has left the project.
    """
    if wanted_project and wanted_project.strip().lower() != str(bearer.project_id):
        raise NotFoundError("This token is valid for another project; leave the project out.")
    try:
        person = identify(bearer.user, str(bearer.project_id))
    except (NotFoundError, NotAllowedError):
        raise InvalidTokenError("The owner of this token has left its project.") from None
    # A token that may only read acts like a viewer.
    role: Role = "viewer" if bearer.access == "read" else person.role
    return replace(person, token=bearer.name, role=role)


def _refuse_tokens(person: Person) -> None:
    if person.token:
        raise NotAllowedError(
            "A token cannot make or revoke tokens; sign in, or use manage.py tokens."
        )


def digest_of(token: str) -> str:
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()
