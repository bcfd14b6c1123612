"""Authentication: the one place where requests get their person, project and role."""

from http import HTTPStatus
from typing import Annotated, ClassVar

from django.http import HttpRequest
from ninja import Path, Router
from ninja.security import HttpBearer
from ninja.utils import check_csrf

from tapes_app.engine.errors import NotAllowedError
from tapes_app.projects.services.people import Person, identify, mark_seen, refuse_writing
from tapes_app.projects.services.tokens import find_bearer, identify_bearer

LARGEST = 2**31 - 1
Position = Annotated[int, Path(ge=0, le=LARGEST)]
"""Position of a step, as part of a path."""

PROJECT_HEADER = "X-Project"
PROJECT_PARAMETER = "project"
_READING = frozenset({"GET", "HEAD", "OPTIONS"})


class CsrfError(NotAllowedError):
    """A request that may have come from another site."""

    code: ClassVar[str] = "csrf_failed"


class PersonRequest(HttpRequest):
    """A request of a signed-in person; `auth` holds the person and the project."""

    auth: Person


class AccessToken(HttpBearer):
    """Takes the person and the project from an access token or from the session.

    It also refuses write requests from people with read access only, so that no route can forget
    to. Routes for a person's own settings are exempt: those make sure that nobody else is affected.
    The API's description mentions only the token, since the session is for the browser.
    """

    def __init__(self, *, is_personal: bool = False) -> None:
        super().__init__()
        self._is_personal = is_personal

    def __call__(self, request: HttpRequest) -> Person | None:
        token = read_bearer(request.headers.get("Authorization", ""))
        if token is not None:
            return self.authenticate(request, token)
        # A proxy's own scheme, such as Basic, is not ours: then the cookie counts.
        return self._read_session(request)

    def authenticate(self, request: HttpRequest, token: str) -> Person:
        person = identify_bearer(find_bearer(token), _wanted_project(request))
        if request.method not in _READING:
            refuse_writing(person)
        return person

    def _read_session(self, request: HttpRequest) -> Person | None:
        if not request.user.is_authenticated:
            return None
        if check_csrf(request):
            raise CsrfError("This page is out of date; reload it.")
        person = identify(request.user, _wanted_project(request))
        mark_seen(person)
        if not self._is_personal and request.method not in _READING:
            refuse_writing(person)
        return person


def read_bearer(header: str) -> str | None:
    """Return the token of an `Authorization` header (RFC 6750, 2.1); `None` if there is none."""
    scheme, _, token = header.partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


def _wanted_project(request: HttpRequest) -> str:
    return request.headers.get(PROJECT_HEADER) or request.GET.get(PROJECT_PARAMETER, "")


def make_router(tag: str, *, is_personal: bool = False) -> Router:
    """Return a router whose routes all know the person who makes the request.

    `is_personal`: people who can only view a project may also write here, to what is their own.
    """
    return Router(auth=AccessToken(is_personal=is_personal), tags=[tag])


def created(answer: object) -> dict[int, object]:
    """Return the declared answer of a route that creates something."""
    return {HTTPStatus.CREATED: answer}


def emptied() -> dict[int, object]:
    return {HTTPStatus.NO_CONTENT: None}
