"""HTTP entry points of library: `routers` is mounted by `tapes_app.routes`."""

from ninja import Router

from tapes_app.library.api import lenses, tapes

routers: list[tuple[str, Router]] = [
    ("/tapes", tapes.router),
    ("/lenses", lenses.router),
]
