"""HTTP entry points of served models: `optimize_app.routes` mounts `routers`."""

from ninja import Router

from optimize_app.serving.api import served_models

routers: list[tuple[str, Router]] = [("/served-models", served_models.router)]
