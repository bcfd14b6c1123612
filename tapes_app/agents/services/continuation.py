"""The agent that continues from any tape, for projects that get tapes of others."""

from contextlib import suppress
from uuid import UUID

from django.db import transaction

from tapes_app.agents.store import agents
from tapes_app.engine.errors import ConflictError
from tapes_app.engine.registry import gallery_agents
from tapes_app.gallery.continuation.agent import NAME
from tapes_app.projects.store.projects import lock_project


@transaction.atomic
def ensure_continuation(project: UUID, *, owner: int | None = None) -> None:
    """Give a project the agent, unless it has or had one of that name."""
    if agents.find_agent(NAME, project) is not None:
        return
    lock_project(project)
    if agents.find_agent(NAME, project) is None:
        with suppress(ConflictError):  # somebody has deleted it
            agents.create_agent(project, gallery_agents.get(NAME)(), owner=owner)
