"""HTTP entry points of editing: `routers` is mounted by `tapes_app.routes`."""

from ninja import Router

from tapes_app.editing.api import drafts, tapes

routers: list[tuple[str, Router]] = [
    ("/tapes", drafts.router),
    ("/step-kinds", tapes.step_kinds),
]
