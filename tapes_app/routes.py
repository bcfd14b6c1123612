"""All HTTP routes of the subjects, as `studio.api` mounts them."""

from ninja import Router

from tapes_app.agents.api import routers as agents
from tapes_app.annotation.api import routers as annotation
from tapes_app.authoring.api import routers as authoring
from tapes_app.batches.api import routers as batches
from tapes_app.bulk.api import routers as bulk
from tapes_app.calls.api import routers as calls
from tapes_app.editing.api import routers as editing
from tapes_app.exchange.api import routers as exchange
from tapes_app.experiments.api import routers as experiments
from tapes_app.jobs.api import routers as jobs
from tapes_app.library.api import routers as library
from tapes_app.lint.api import routers as lint
from tapes_app.projects.api import routers as projects
from tapes_app.runs.api import routers as runs
from tapes_app.tapes.api import routers as tapes

routers: list[tuple[str, Router]] = [
    # Fixed paths such as /tapes/facets and /tapes/tags come before /tapes/{tape_id}.
    *authoring,
    *library,
    *bulk,
    *projects,
    *tapes,
    *agents,
    *editing,
    *calls,
    *lint,
    *jobs,
    *runs,
    *annotation,
    *experiments,
    *exchange,
    *batches,
]
