"""HTTP entry points of bulk: `routers` is mounted by `tapes_app.routes`."""

from ninja import Router

from tapes_app.bulk.api import datasets, tags, transforms

routers: list[tuple[str, Router]] = [
    ("/tapes", tags.router),
    ("/datasets", datasets.router),
    ("/transforms", transforms.router),
]
