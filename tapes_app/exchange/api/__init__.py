"""HTTP entry points of exchange: `routers` is mounted by `tapes_app.routes`."""

from ninja import Router

from tapes_app.exchange.api import example_files, files, shares

routers: list[tuple[str, Router]] = [
    ("/tapes", files.tape_exports),
    ("/tapes", shares.router),
    ("/batches", files.router),
    ("/exports", files.exports),
    ("/datasets", example_files.tasks),
    ("/example-files", example_files.router),
    ("/uploads", files.upload_router),
]
