"""HTTP entry points of projects: `routers` is mounted by `tapes_app.routes`."""

from tapes_app.projects.api import session

routers = [
    ("/session", session.router),
]
