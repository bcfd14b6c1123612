"""`/agents` and `/gallery`: agents, their versions, and shipped agents."""

from uuid import UUID

from ninja import Status
from pydantic import Field

from tapes_app.agents.domain.rows import LONGEST_NOTE, AgentRow, AgentUse, AgentVersion
from tapes_app.agents.services import agent_diff, agents
from tapes_app.agents.services import gallery as shipped
from tapes_app.agents.services.agent_diff import AgentDiff
from tapes_app.agents.services.agents import AgentDetail
from tapes_app.agents.services.gallery import GalleryAgent
from tapes_app.agents.store import agents as agents_store
from tapes_app.engine.agent.spec import AgentSpec
from tapes_app.projects.api.bodies import In, Line
from tapes_app.projects.api.people import PersonRequest, created, make_router

router = make_router("agents")


class AgentVersionIn(In):
    spec: AgentSpec


class VersionNoteIn(In):
    note: Line = Field(max_length=LONGEST_NOTE)


@router.get("", response=list[AgentRow])
def list_agents(request: PersonRequest) -> list[AgentRow]:
    """List the agents of the project with their versions, by name."""
    return agents_store.list_agents(request.auth.project_id)


@router.post("", response=created(AgentDetail))
def add_agent(request: PersonRequest, body: AgentVersionIn) -> Status[AgentDetail]:
    """Add an agent with its first version; it is named by the spec."""
    return Status(201, agents.add_agent(request.auth, body.spec))


@router.get("/use", response=list[AgentUse])
def list_use(request: PersonRequest) -> list[AgentUse]:
    """Return of each agent that was used: its tapes, how many passed, their cost, the newest."""
    return agents_store.list_use(request.auth.project_id)


@router.get("/diff", response=AgentDiff)
def diff_versions(request: PersonRequest, a: UUID, b: UUID) -> AgentDiff:
    """Compare the specs of two versions, of the same agent or of two."""
    return agent_diff.diff_versions(request.auth, a, b)


@router.put("/versions/{version_id}/note", response=AgentVersion)
def change_note(request: PersonRequest, version_id: UUID, body: VersionNoteIn) -> AgentVersion:
    """Change the note on a version; all else of a version stays as it was saved."""
    return agents_store.set_note(version_id, request.auth.project_id, body.note.strip())


@router.get("/{agent_id}", response=AgentDetail)
def show_agent(request: PersonRequest, agent_id: UUID) -> AgentDetail:
    """Return an agent with all its versions and their specs."""
    return agents.open_agent(request.auth, agent_id)


@router.post("/{agent_id}/versions", response=created(AgentVersion))
def add_version(
    request: PersonRequest, agent_id: UUID, body: AgentVersionIn
) -> Status[AgentVersion]:
    """Add a version; the spec is refused if no agent can be built from it."""
    return Status(201, agents.add_version(request.auth, agent_id, body.spec))


gallery = make_router("gallery")


@gallery.get("", response=list[GalleryAgent])
def list_gallery(request: PersonRequest) -> list[GalleryAgent]:
    """List the agents that ship with the studio or come from plugins."""
    return shipped.list_gallery()
