"""One-time sign-in links: files named after the hash of a token, deleted on use."""

import hashlib
import secrets
import time
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import User

from studio.data_dir import write_private

LINK_LIFETIME_SECONDS = 15 * 60


def create_login_token(lifetime_seconds: float = LINK_LIFETIME_SECONDS) -> str:
    """Return a new token that signs its bearer in once; only its hash is kept."""
    token = secrets.token_urlsafe(32)
    _forget_expired_tokens()
    write_private(_path_of(token), str(time.time() + lifetime_seconds))
    return token


def use_login_token(token: str) -> bool:
    """Use up the token and return whether it was valid.

    Removing a file succeeds for exactly one of several racing requests.
    """
    path = _path_of(token)
    try:
        expires_at = float(path.read_text(encoding="utf-8"))
        path.unlink()
    except (FileNotFoundError, ValueError):
        return False
    return time.time() < expires_at


def load_owner() -> User:
    """Return the only person of an install without accounts, created at the first sign-in."""
    owner, is_new = User.objects.get_or_create(username=settings.STUDIO_OWNER_NAME)
    if is_new:
        owner.set_unusable_password()
    if is_new or not owner.is_superuser:
        owner.is_staff = owner.is_superuser = True
        owner.save()
    return owner


def find_owner() -> User | None:
    """Return that person without creating one."""
    return User.objects.filter(username=settings.STUDIO_OWNER_NAME).first()


def needs_login_link() -> bool:
    """Return whether sign-in is by link: always without accounts, else until somebody has one."""
    if not settings.STUDIO_ACCOUNTS:
        return True
    return not User.objects.exclude(username=settings.STUDIO_OWNER_NAME).exists()


def _path_of(token: str) -> Path:
    return _folder() / hashlib.sha256(token.encode()).hexdigest()


def _folder() -> Path:
    return Path(settings.STUDIO_DATA_DIR) / "logins"


def _forget_expired_tokens() -> None:
    for path in _folder().iterdir():
        try:
            is_expired = float(path.read_text(encoding="utf-8")) < time.time()
        except (FileNotFoundError, ValueError):
            continue
        if is_expired:
            path.unlink(missing_ok=True)
