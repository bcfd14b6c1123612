"""HTTP entry points of batches: `routers` is mounted by `tapes_app.routes`."""

from ninja import Router

from tapes_app.batches.api import batches, reruns

routers: list[tuple[str, Router]] = [
    ("/batches", batches.router),
    ("/reruns", reruns.router),
]
