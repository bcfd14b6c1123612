"""HTTP entry points of evaluation: `optimize_app.routes` mounts `routers`."""

from ninja import Router

from optimize_app.evaluation.api import (
    dataset_scorers,
    publishing,
    scorer_functions,
    suites,
    sweeps,
)

routers: list[tuple[str, Router]] = [
    ("/sweeps", sweeps.router),
    ("/suites", suites.router),
    ("/tapes", suites.of_tape),
    ("/datasets", dataset_scorers.router),
    ("/agents", publishing.router),
    ("/scorer-functions", scorer_functions.router),
]
