"""HTTP entry points of tapes: `routers` is mounted by `tapes_app.routes`."""

from tapes_app.tapes.api import kind_families, replaced, tapes

routers = [
    ("/tapes", tapes.router),
    ("/tapes", replaced.router),
    ("/step-kinds", kind_families.router),
]
