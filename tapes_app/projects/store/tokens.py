"""Access tokens as rows: found by their digest, never by themselves."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal, get_args
from uuid import UUID

from django.db.models import Q
from django.utils import timezone

from tapes_app.engine.errors import ConflictError
from tapes_app.models import AccessTokenRecord
from tapes_app.projects.domain.rows import row_of
from tapes_app.projects.store.records import get_record, refusing_duplicates

NAME_LENGTH = 100
MOST_TOKENS = 100
"""Tokens of one person in one project: a list that is shown in full needs a limit."""

_USE_UPDATE_INTERVAL = timedelta(minutes=1)

Access = Literal["read", "write"]
_ACCESSES: dict[str, Access] = {access: access for access in get_args(Access)}


@dataclass(frozen=True, slots=True)
class TokenRow:
    """What is stored about a token, without the token itself."""

    id: UUID
    name: str
    access: Access
    hint: str
    """How it starts."""

    created_at: datetime
    expires_at: datetime | None
    """`None`: it is valid until it is revoked."""

    last_used_at: datetime | None
    """Accurate to a minute; `None`: never."""


@dataclass(frozen=True, slots=True)
class Bearer:
    """The person and project that a token stands for; `user` is a record of Django's users."""

    user: Any
    project_id: UUID
    name: str
    access: Access


def list_tokens(project: UUID, person: int) -> list[TokenRow]:
    """Return a person's tokens in a project, by name."""
    return [_row(record) for record in _own(project, person).order_by("name", "id")]


def create_token(
    project: UUID,
    person: int,
    *,
    name: str,
    access: Access,
    digest: str,
    hint: str,
    expires_at: datetime | None,
) -> TokenRow:
    """Store a new token.

    Raises:
        ConflictError: the person has a token of this name there, or has too many.
    """
    if _own(project, person).count() >= MOST_TOKENS:
        raise ConflictError(f"You have {MOST_TOKENS} tokens; revoke some that you do not use.")
    with refusing_duplicates(
        f"You already have a token {name!r}; revoke it or choose another name."
    ):
        record = AccessTokenRecord.objects.create(
            project_id=project,
            owner_id=person,
            name=name,
            access=access,
            digest=digest,
            hint=hint,
            expires_at=expires_at,
        )
    return _row(record)


def revoke_token(token_id: UUID, project: UUID, person: int) -> TokenRow:
    """Delete a token, which makes it invalid.

    Raises:
        NotFoundError: the person has no such token in this project.
    """
    record = get_record(_own(project, person), "There is no such token.", token_id=token_id)
    row = _row(record)
    record.delete()
    return row


def find_bearer(digest: str) -> Bearer | None:
    """Return the person a token stands for, and record its use; `None` if it is not valid."""
    now = timezone.now()
    still_good = Q(expires_at__isnull=True) | Q(expires_at__gt=now)
    records = AccessTokenRecord.objects.select_related("owner")
    record = records.filter(still_good, digest=digest, owner__is_active=True).first()
    if record is None:
        return None
    if record.last_used_at is None or record.last_used_at < now - _USE_UPDATE_INTERVAL:
        AccessTokenRecord.objects.filter(id=record.id).update(last_used_at=now)
    return Bearer(record.owner, record.project_id, record.name, _ACCESSES[record.access])


def _own(project: UUID, person: int) -> Any:
    return AccessTokenRecord.objects.filter(project_id=project, owner_id=person)


def _row(record: AccessTokenRecord) -> TokenRow:
    return row_of(TokenRow, record, access=_ACCESSES[record.access])
