"""HTTP entry points of studies: `optimize_app.routes` mounts `routers`."""

from ninja import Router

from optimize_app.case_study.api import studies

routers: list[tuple[str, Router]] = [("/studies", studies.router)]
