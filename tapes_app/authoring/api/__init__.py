"""HTTP entry points of authoring: `routers` is mounted by `tapes_app.routes`."""

from tapes_app.authoring.api import drafts, exchange

routers = [
    ("/agents", exchange.router),
    ("/agents", drafts.router),
]
