"""`/session`: who is signed in, and what the page should know at its start."""

from tapes_app.projects.api.people import PersonRequest, make_router
from tapes_app.projects.services.session import Session, describe_session

router = make_router("session")


@router.get("", response=Session)
def show_session(request: PersonRequest) -> Session:
    """Return who asks, in which project and in which role."""
    return describe_session(request.auth)
