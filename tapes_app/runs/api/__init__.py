"""HTTP entry points of runs: `routers` is mounted by `tapes_app.routes`."""

from ninja import Router

from tapes_app.runs.api import chat, control, environments, forecasts, responses

routers: list[tuple[str, Router]] = [
    ("/tapes", forecasts.router),
    ("/jobs", control.router),
    ("/environments", environments.router),
    ("/openai", chat.router),
    ("/openai", responses.router),
]
