"""HTTP entry points of distillation: `optimize_app.routes` mounts `routers`."""

from ninja import Router

from optimize_app.distillation.api import distillations

routers: list[tuple[str, Router]] = [("/distillations", distillations.router)]
