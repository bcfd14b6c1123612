"""HTTP entry points of distillation: `routers` is mounted by `optimize_app.routes`."""

from ninja import Router

from optimize_app.distillation.api import distillations

routers: list[tuple[str, Router]] = [("/distillations", distillations.router)]
