"""HTTP entry points of tapes: `routers` is mounted by `tapes_app.routes`."""

from ninja import Router

from tapes_app.tapes.api import replaced, tapes

routers: list[tuple[str, Router]] = [
    ("/tapes", tapes.router),
    ("/tapes", replaced.router),
]
