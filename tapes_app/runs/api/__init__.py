"""HTTP entry points of runs: `routers` is mounted by `tapes_app.routes`."""

from ninja import Router

from tapes_app.runs.api import chat, control, forecasts

routers: list[tuple[str, Router]] = [
    ("/tapes", forecasts.router),
    ("/jobs", control.router),
    ("/openai", chat.router),
]
