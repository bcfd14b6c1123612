"""HTTP entry points of editing: `routers` is mounted by `tapes_app.routes`."""

from tapes_app.editing.api import drafts, tapes

routers = [
    ("/tapes", drafts.router),
    ("/step-kinds", tapes.step_kinds),
]
