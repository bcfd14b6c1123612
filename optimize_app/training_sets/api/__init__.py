"""HTTP entry points of training sets: `optimize_app.routes` mounts `routers`."""

from ninja import Router

from optimize_app.training_sets.api import sets

routers: list[tuple[str, Router]] = [("/training-sets", sets.router)]
