"""HTTP entry points of jobs: `routers` is mounted by `tapes_app.routes`."""

from ninja import Router

from tapes_app.jobs.api import event_stream

routers: list[tuple[str, Router]] = [("/jobs", event_stream.router)]
