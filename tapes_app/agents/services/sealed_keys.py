"""Model keys at rest: encrypted before they are stored, decrypted only to call the model."""

import base64

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings
from django.views.decorators.debug import sensitive_variables

from tapes_app.engine.errors import ConflictError
from tapes_app.engine.redaction import register_secret


class KeyUnreadableError(ConflictError):
    """A stored key cannot be decrypted, because the studio's secret key has changed."""

    code = "key_unreadable"


@sensitive_variables("key")
def seal_key(key: str) -> bytes:
    """Return a key in the form to store."""
    return _box().encrypt(key.encode())


@sensitive_variables()
def open_key(sealed: bytes, *, model: str) -> str:
    """Return a stored key; from then on it is redacted from all log lines and errors.

    Raises:
        KeyUnreadableError: it was sealed under another secret key.
    """
    try:
        key = _box().decrypt(bytes(sealed)).decode()
    except (InvalidToken, UnicodeDecodeError):
        raise KeyUnreadableError(
            f"The stored key of model {model!r} can no longer be decrypted because the studio's "
            "secret key changed; enter the key again.",
            model=model,
        ) from None
    register_secret(key)
    return key


def _box() -> Fernet:
    return Fernet(base64.urlsafe_b64encode(settings.STUDIO_ENCRYPTION_KEY))
