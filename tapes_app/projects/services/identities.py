"""Who may come in by an OpenID provider: those with an account here, and those who are invited."""

from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import transaction

from tapes_app.engine.errors import NotAllowedError
from tapes_app.projects.store import identities


@dataclass(frozen=True, slots=True)
class Claims:
    """What a provider says of a person, after its signature was checked."""

    issuer: str
    subject: str
    email: str = ""
    """Empty unless the provider says that it has verified it."""

    name: str = ""
    """What the person is called there; a proposal for a name here, and nothing else."""

    def __str__(self) -> str:
        return self.email or self.name or self.subject


@transaction.atomic
def find_account(claims: Claims) -> User | None:
    """Return the account that a person of the provider signs in to; `None`: there is none.

    It is the one that they signed in to before; the first time, the one with their verified
    address, which an operator has written into it.

    Raises:
        NotAllowedError: the account is switched off.
    """
    user = identities.find_user(claims.issuer, claims.subject)
    is_new = user is None
    if user is None and claims.email:
        user = identities.find_unbound(claims.issuer, claims.email)
    if user is not None and not user.is_active:
        raise NotAllowedError(f"The account {user.get_username()!r} is switched off.")
    if user is not None and is_new:
        identities.bind(claims.issuer, claims.subject, user.pk)
    return user
