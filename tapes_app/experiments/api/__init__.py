"""HTTP entry points of experiments: `routers` is mounted by `tapes_app.routes`."""

from ninja import Router

from tapes_app.experiments.api import experiments

routers: list[tuple[str, Router]] = [
    ("/tapes", experiments.of_tapes),
    ("/experiments", experiments.router),
]
