"""HTTP entry points of calls: `routers` is mounted by `tapes_app.routes`."""

from ninja import Router

from tapes_app.calls.api import calls, of_steps, playground

routers: list[tuple[str, Router]] = [
    ("/tapes", of_steps.router),
    ("/tapes", calls.router),
    ("/tapes", playground.router),
]
