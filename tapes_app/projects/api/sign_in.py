"""The person behind a websocket: read once, when it opens, from an access token or the cookie.

Channels' own stack also checks every frame for changes of the session: a cost for streams of a
thousand frames a second, which never make any.
"""

from typing import Any

from channels.db import database_sync_to_async
from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.http import HttpRequest, parse_cookie

from tapes_app.projects.api.people import read_bearer
from tapes_app.projects.services.tokens import InvalidTokenError, find_bearer

Scope = dict[str, Any]
Headers = list[tuple[bytes, bytes]]


class SignedIn:
    """Adds `user` to the scope of a websocket: anonymous if nobody is signed in.

    `project` is the only project that a token is valid for; `None` for a signed-in person.
    """

    def __init__(self, application: Any) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> Any:
        asker = await database_sync_to_async(load_asker)(scope["headers"])
        return await self._application({**scope, **asker}, receive, send)


def load_asker(headers: Headers) -> Scope:
    """Return the person that a token or a session names, if it is still valid."""
    token = read_bearer(_value_of(headers, b"authorization"))
    if token is None:
        return {"user": load_user(headers), "project": None}
    try:
        bearer = find_bearer(token)
    except InvalidTokenError:
        return {"user": AnonymousUser(), "project": None}
    return {"user": bearer.user, "project": bearer.project_id}


def load_user(headers: Headers) -> AbstractBaseUser | AnonymousUser:
    """Return the person whose session the cookie names, if that session is still valid."""
    key = parse_cookie(_value_of(headers, b"cookie")).get(settings.SESSION_COOKIE_NAME)
    if not key:
        return AnonymousUser()
    request = HttpRequest()
    request.session = SessionStore(key)
    return get_user(request)


def _value_of(headers: Headers, wanted: bytes) -> str:
    return "; ".join(value.decode("latin1") for name, value in headers if name == wanted)
