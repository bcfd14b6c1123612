"""HTTP entry points of library: `routers` is mounted by `tapes_app.routes`."""

from tapes_app.library.api import lenses, tapes

routers = [
    ("/tapes", tapes.router),
    ("/lenses", lenses.router),
]
