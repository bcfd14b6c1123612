"""HTTP entry points of library: `routers` is mounted by `tapes_app.routes`."""

from tapes_app.library.api import lenses, tapes, tool_rules

routers = [
    ("/tapes", tapes.router),
    ("/lenses", lenses.router),
    ("/tool-rules", tool_rules.router),
]
