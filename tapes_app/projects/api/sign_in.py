"""The person behind a websocket: read from the session cookie once, when it opens.

Channels' own stack also watches every frame for changes of the session, which a stream of a
thousand frames a second pays for and never has.
"""

from typing import Any

from channels.db import database_sync_to_async
from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.http import HttpRequest, parse_cookie

Scope = dict[str, Any]


class SignedIn:
    """Puts `user` into the scope of a websocket; somebody anonymous when nobody is signed in."""

    def __init__(self, application: Any) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> Any:
        user = await database_sync_to_async(load_user)(scope["headers"])
        return await self._application({**scope, "user": user}, receive, send)


def load_user(headers: list[tuple[bytes, bytes]]) -> AbstractBaseUser | AnonymousUser:
    """Return the person whose session the cookie names, if that session is still good."""
    text = "; ".join(value.decode("latin1") for name, value in headers if name == b"cookie")
    key = parse_cookie(text).get(settings.SESSION_COOKIE_NAME)
    if not key:
        return AnonymousUser()
    request = HttpRequest()
    request.session = SessionStore(key)
    return get_user(request)
