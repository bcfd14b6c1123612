"""HTTP entry points of projects: `routers` is mounted by `tapes_app.routes`."""

from tapes_app.projects.api import invitations, members, projects, session, tokens

routers = [
    ("/session", session.router),
    ("/tokens", tokens.router),
    ("/people", members.router),
    ("/membership", members.membership_router),
    ("/invitations", invitations.router),
    ("/projects", projects.router),
]
