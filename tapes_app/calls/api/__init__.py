"""HTTP entry points of calls: `routers` is mounted by `tapes_app.routes`."""

from tapes_app.calls.api import calls, playground

routers = [
    ("/tapes", calls.of_steps),
    ("/tapes", calls.router),
    ("/tapes", playground.router),
]
