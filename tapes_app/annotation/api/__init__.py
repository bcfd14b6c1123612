"""HTTP entry points of annotation: `routers` is mounted by `tapes_app.routes`."""

from tapes_app.annotation.api import annotations, findings, queues, rubrics

routers = [
    ("/tapes", annotations.router),
    ("/tapes", findings.of_tapes),
    ("/queues", queues.router),
    ("/rubrics", rubrics.router),
]
