"""HTTP entry points of annotation: `routers` is mounted by `tapes_app.routes`."""

from ninja import Router

from tapes_app.annotation.api import annotations, findings, queues, rubrics

routers: list[tuple[str, Router]] = [
    ("/tapes", annotations.router),
    ("/tapes", findings.of_tapes),
    ("/queues", queues.router),
    ("/rubrics", rubrics.router),
]
