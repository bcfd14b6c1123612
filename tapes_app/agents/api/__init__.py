"""HTTP entry points of agents: `routers` is mounted by `tapes_app.routes`."""

from tapes_app.agents.api import agents, llm_models

routers = [
    ("/agents", agents.router),
    ("/gallery", agents.gallery),
    ("/models", llm_models.router),
]
