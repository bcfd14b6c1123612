"""HTTP entry points of lint: `routers` is mounted by `tapes_app.routes`."""

from tapes_app.lint.api import lint

routers = [
    ("/tapes", lint.of_tapes),
    ("/lint", lint.router),
]
