"""HTTP entry points of served models: `routers` is mounted by `optimize_app.routes`."""

from ninja import Router

from optimize_app.serving.api import served_models

routers: list[tuple[str, Router]] = [("/served-models", served_models.router)]
