"""HTTP entry points: `routers` lists what `studio.api` mounts."""

from ninja import Router

from tapes_app.api import (
    agents,
    annotations,
    batches,
    calls,
    drafts,
    experiments,
    forecasts,
    jobs,
    lint,
    models,
    playground,
    queues,
    rubrics,
    session,
    shares,
    tapes,
)

routers: list[tuple[str, Router]] = [
    ("/session", session.router),
    ("/tapes", tapes.router),
    ("/tapes", drafts.router),
    ("/tapes", calls.router),
    ("/tapes", annotations.router),
    ("/tapes", playground.router),
    ("/tapes", forecasts.router),
    ("/tapes", lint.of_tapes),
    ("/lint", lint.router),
    ("/tapes", experiments.of_tapes),
    ("/experiments", experiments.router),
    ("/tapes", batches.tape_exports),
    ("/tapes", shares.router),
    ("/step-kinds", tapes.step_kinds),
    ("/jobs", jobs.router),
    ("/agents", agents.router),
    ("/gallery", agents.gallery),
    ("/models", models.router),
    ("/queues", queues.router),
    ("/rubrics", rubrics.router),
    ("/batches", batches.router),
    ("/exports", batches.exports),
    ("/uploads", batches.upload_router),
]
