"""HTTP entry points of training sets: `routers` is mounted by `optimize_app.routes`."""

from ninja import Router

from optimize_app.training_sets.api import sets

routers: list[tuple[str, Router]] = [("/training-sets", sets.router)]
