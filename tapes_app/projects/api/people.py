"""Who asks: the one place where requests get their person, project and role."""

from http import HTTPStatus
from typing import Annotated, ClassVar

from django.http import HttpRequest
from ninja import Path, Router
from ninja.security import SessionAuth
from ninja.utils import check_csrf

from tapes_app.engine.errors import NotAllowedError
from tapes_app.projects.services.people import Person, identify

LARGEST = 2**31 - 1
Position = Annotated[int, Path(ge=0, le=LARGEST)]
"""Of a step, as part of a path."""

PROJECT_HEADER = "X-Project"
PROJECT_PARAMETER = "project"
_READING = frozenset({"GET", "HEAD", "OPTIONS"})


class CsrfError(NotAllowedError):
    """A request that may have come from another site."""

    code: ClassVar[str] = "csrf_failed"


class PersonRequest(HttpRequest):
    """A request of a signed-in person; `auth` is who it is and in which project."""

    auth: Person


class PersonAuth(SessionAuth):
    """Takes the person from the session, and the project from the request.

    It also refuses writing to those who may only read, so that no route can forget it, but for
    routes of what is a person's own: those see to it that nobody else is touched.
    """

    # In the API's description. The cookie's own name differs from studio to studio.
    param_name = "studio_session"

    def __init__(self, *, is_personal: bool = False) -> None:
        super().__init__(csrf=False)  # checked below, to answer in our own words
        self._is_personal = is_personal

    def authenticate(self, request: HttpRequest, key: str | None) -> Person | None:
        if not request.user.is_authenticated:
            return None
        if check_csrf(request):
            raise CsrfError("This page is out of date; reload it.")
        wanted = request.headers.get(PROJECT_HEADER) or request.GET.get(PROJECT_PARAMETER, "")
        person = identify(request.user, wanted)
        is_harmless = self._is_personal or request.method in _READING
        if not is_harmless and not person.can_write:
            raise NotAllowedError(
                f"You can only view project {person.project!r}; ask an owner for edit access."
            )
        return person


def make_router(tag: str, *, is_personal: bool = False) -> Router:
    """Return a router whose every route knows the person who asks.

    `is_personal`: who can only view a project may write here too, what is their own.
    """
    return Router(auth=PersonAuth(is_personal=is_personal), tags=[tag])


def created(answer: object) -> dict[int, object]:
    """Return the declared answer of a route that makes something."""
    return {HTTPStatus.CREATED: answer}


def emptied() -> dict[int, object]:
    return {HTTPStatus.NO_CONTENT: None}
