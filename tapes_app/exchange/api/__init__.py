"""HTTP entry points of exchange: `routers` is mounted by `tapes_app.routes`."""

from ninja import Router

from tapes_app.exchange.api import files, shares

routers: list[tuple[str, Router]] = [
    ("/tapes", files.tape_exports),
    ("/tapes", shares.router),
    ("/batches", files.router),
    ("/exports", files.exports),
    ("/uploads", files.upload_router),
]
