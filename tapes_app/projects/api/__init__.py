"""HTTP entry points of projects: `routers` is mounted by `tapes_app.routes`."""

from ninja import Router

from tapes_app.projects.api import session

routers: list[tuple[str, Router]] = [
    ("/session", session.router),
]
