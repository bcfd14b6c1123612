"""HTTP entry points of agents: `routers` is mounted by `tapes_app.routes`."""

from ninja import Router

from tapes_app.agents.api import agents, llm_models

routers: list[tuple[str, Router]] = [
    ("/agents", agents.router),
    ("/gallery", agents.gallery),
    ("/models", llm_models.router),
]
