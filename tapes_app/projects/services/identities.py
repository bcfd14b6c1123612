"""Who may sign in through an OpenID provider: people with an account here, and people invited."""

from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import transaction

from tapes_app.engine.errors import NotAllowedError
from tapes_app.projects.store import identities


@dataclass(frozen=True, slots=True)
class Claims:
    """What a provider claims about a person, after its signature was verified."""

    issuer: str
    subject: str
    email: str = ""
    """Empty unless the provider states that it has verified it."""

    name: str = ""
    """The person's name there; only a suggestion for the name here."""

    def __str__(self) -> str:
        return self.email or self.name or self.subject


@transaction.atomic
def find_account(claims: Claims) -> User | None:
    """Return the account that a person of the provider signs in to; `None` if there is none.

    It is the account that they signed in to before; the first time, it is the one with their
    verified address, which an operator has entered in it.

    Raises:
        NotAllowedError: the account is disabled.
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
