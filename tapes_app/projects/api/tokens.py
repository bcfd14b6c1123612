"""`/tokens`: a person's own access tokens, which scripts use."""

from typing import Annotated
from uuid import UUID

from ninja import Status
from pydantic import Field

from tapes_app.projects.api.bodies import In, Line
from tapes_app.projects.api.people import PersonRequest, created, emptied, make_router
from tapes_app.projects.domain.rows import Items
from tapes_app.projects.services import tokens
from tapes_app.projects.services.tokens import LONGEST_DAYS, MadeToken
from tapes_app.projects.store.tokens import NAME_LENGTH, Access, TokenRow

router = make_router("tokens", is_personal=True)


class TokenIn(In):
    name: Annotated[Line, Field(min_length=1, max_length=NAME_LENGTH)]
    """What it is for, such as the script that uses it."""

    access: Access = "read"
    days: int | None = Field(90, ge=1, le=LONGEST_DAYS)
    """How many days it is valid; null: until it is revoked."""


@router.get("", response=Items[TokenRow])
def list_tokens(request: PersonRequest) -> Items[TokenRow]:
    """List your own tokens in this project."""
    return Items(tokens.list_tokens(request.auth))


@router.post("", response=created(MadeToken))
def make_token(request: PersonRequest, body: TokenIn) -> Status[MadeToken]:
    """Create a token. Only this answer contains it."""
    made = tokens.make_token(request.auth, name=body.name, access=body.access, days=body.days)
    return Status(201, made)


@router.delete("/{token_id}", response=emptied())
def revoke_token(request: PersonRequest, token_id: UUID) -> Status[None]:
    """Revoke a token."""
    tokens.revoke_token(request.auth, token_id)
    return Status(204, None)
