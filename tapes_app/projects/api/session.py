"""`/session`: who is signed in, and what the page needs at its start."""

from tapes_app.projects.api.people import PersonRequest, make_router
from tapes_app.projects.services.session import Session, describe_session

router = make_router("session")


@router.get("", response=Session)
def show_session(request: PersonRequest) -> Session:
    """Return the person who makes the request, with their project and role."""
    return describe_session(request.auth)
