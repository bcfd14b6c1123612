"""`/agents` and `/gallery`: agents, their versions, and those that ship."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from ninja import Status

from tapes_app.api.people import PersonRequest, created, found, make_router
from tapes_app.api.schemas import (
    AgentDiffOut,
    AgentOut,
    AgentRowOut,
    AgentVersionIn,
    AgentVersionOut,
    GalleryAgentOut,
)
from tapes_app.services import agent_diff, agents

router = make_router("agents")


@router.get("", response=found(list[AgentRowOut]))
def list_agents(request: PersonRequest) -> Any:
    # A list, because ninja takes a pair for a status and a body.
    return list(agents.list_agents(request.auth))


@router.post("", response=created(AgentOut))
def add_agent(request: PersonRequest, body: AgentVersionIn) -> Status[Any]:
    """Add an agent with its first version; its name is that of the spec."""
    return Status(201, agents.add_agent(request.auth, body.spec))


@router.get("/diff", response=found(AgentDiffOut))
def diff_versions(request: PersonRequest, a: UUID, b: UUID) -> Any:
    """Compare two versions, of one agent or of two: what of their specs differs."""
    return agent_diff.diff_versions(request.auth, a, b)


@router.get("/{agent_id}", response=found(AgentOut))
def show_agent(request: PersonRequest, agent_id: UUID) -> Any:
    return agents.open_agent(request.auth, agent_id)


@router.post("/{agent_id}/versions", response=created(AgentVersionOut))
def add_version(request: PersonRequest, agent_id: UUID, body: AgentVersionIn) -> Status[Any]:
    """Add a version; the spec is refused unless the agent can be built of it."""
    return Status(201, agents.add_version(request.auth, agent_id, body.spec))


gallery = make_router("gallery")


@gallery.get("", response=found(list[GalleryAgentOut]))
def list_gallery(request: PersonRequest) -> Any:
    """List the agents that ship with the studio or come from plugins."""
    return agents.list_gallery()
