"""Identities as rows: which account a subject of an OpenID provider has."""

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from tapes_app.engine.errors import ConflictError
from tapes_app.models import IdentityRecord


def find_user(issuer: str, subject: str) -> User | None:
    """Return the account that a subject signs in to, disabled or not."""
    found = IdentityRecord.objects.filter(issuer=issuer, subject=subject).select_related("user")
    record = found.first()
    return None if record is None else record.user


def find_unbound(issuer: str, email: str) -> User | None:
    """Return the one account with an e-mail address, unless it is bound to the provider already."""
    found = list(User.objects.filter(email__iexact=email)[:2])
    if len(found) != 1 or IdentityRecord.objects.filter(issuer=issuer, user=found[0]).exists():
        return None
    return found[0]


def bind(issuer: str, subject: str, user_id: int) -> None:
    """Record that a subject signs in to an account from now on.

    Raises:
        ConflictError: the subject has another account, or the account another subject.
    """
    try:
        with transaction.atomic():
            IdentityRecord.objects.create(issuer=issuer, subject=subject, user_id=user_id)
    except IntegrityError as error:
        raise ConflictError("You already have an account; sign in with it.") from error
