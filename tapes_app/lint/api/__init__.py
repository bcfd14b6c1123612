"""HTTP entry points of lint: `routers` is mounted by `tapes_app.routes`."""

from ninja import Router

from tapes_app.lint.api import lint

routers: list[tuple[str, Router]] = [
    ("/tapes", lint.of_tapes),
    ("/lint", lint.router),
]
