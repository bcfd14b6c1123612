"""HTTP entry points of finetunes: `optimize_app.routes` mounts `routers`."""

from ninja import Router

from optimize_app.finetune.api import finetunes, tokens

routers: list[tuple[str, Router]] = [
    ("/training-sets", tokens.set_router),
    ("/finetunes", finetunes.router),
    ("/adapters", finetunes.adapter_router),
    ("/base-models", finetunes.base_router),
]
