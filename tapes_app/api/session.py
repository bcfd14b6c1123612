"""`/session`: who is signed in, and what the page should know at its start."""

from __future__ import annotations

from tapes_app.api.people import PersonRequest, found, make_router
from tapes_app.api.schemas import SessionOut
from tapes_app.services import session

router = make_router("session")


@router.get("", response=found(SessionOut))
def show_session(request: PersonRequest) -> session.Session:
    return session.describe_session(request.auth)
