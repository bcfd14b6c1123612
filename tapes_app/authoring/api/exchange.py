"""`/agents`: what specs are written with: node types, the schema of specs, and YAML files."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from ninja import Status
from pydantic import Field

from tapes_app.agents.services.agents import AgentDetail, ToolRow, list_registered_tools
from tapes_app.authoring.domain.environment_types import list_environment_types
from tapes_app.authoring.domain.foreign.agents import AgentFiles
from tapes_app.authoring.domain.node_types import list_node_types
from tapes_app.authoring.domain.rows import EnvironmentType, NodeType, PlainCopy
from tapes_app.authoring.domain.spec_schema import make_spec_schema
from tapes_app.authoring.domain.spec_size import MOST_AGENTS
from tapes_app.authoring.services import spec_files, tape_agents
from tapes_app.projects.api.bodies import In, Line
from tapes_app.projects.api.people import PersonRequest, created, make_router

_LONGEST = 2_000_000

router = make_router("agent drafts")


class NamedTextIn(In):
    """A text file with its path."""

    path: Line = Field(min_length=1, max_length=500)
    text: str = Field(max_length=_LONGEST)


class AgentFileIn(In):
    """An agent as the text of a file: YAML as it is exported here, or of another framework."""

    text: str = Field(min_length=1, max_length=_LONGEST)
    path: Line = Field(default="", max_length=500)
    """The file's path, from which the paths in it begin; empty: it names no others."""

    others: list[NamedTextIn] = Field(default_factory=list, max_length=MOST_AGENTS)
    """The files that it names, as an agent config of ADK names those of its members."""


class TapeAgentIn(In):
    """The tape of another agent, such as an imported one, and a name for the new agent."""

    tape_id: UUID
    name: Line = Field(min_length=1, max_length=200)


@router.get("/node-types", response=list[NodeType])
def list_types(request: PersonRequest) -> list[NodeType]:
    """List the classes of nodes that an agent can have, each with the schema of its settings."""
    return list_node_types()


@router.get("/tools", response=list[ToolRow])
def list_known_tools(request: PersonRequest) -> list[ToolRow]:
    """List the tools that nodes can name, with their descriptions and arguments."""
    return list_registered_tools()


@router.get("/environments", response=list[EnvironmentType])
def list_environments(request: PersonRequest) -> list[EnvironmentType]:
    """List the types of environments that agents can name, each with the schema of its settings."""
    return list_environment_types()


@router.get("/spec-schema", response=dict[str, Any])
def show_spec_schema(request: PersonRequest) -> dict[str, Any]:
    """Return the JSON schema of agents as files, with which editors complete them."""
    return make_spec_schema()


@router.get("/versions/{version_id}/yaml")
def export_version(request: PersonRequest, version_id: UUID) -> HttpResponse:
    """Return a version as a YAML file."""
    file = spec_files.write_version(request.auth, version_id)
    answer = HttpResponse(file.text, content_type="text/yaml; charset=utf-8")
    answer["Content-Disposition"] = file.disposition
    return answer


@router.get("/versions/{version_id}/plain-copy", response=PlainCopy)
def show_plain_copy(request: PersonRequest, version_id: UUID) -> PlainCopy:
    """Return a version without the node classes of plugins, or what only their code decides."""
    return spec_files.make_copy(request.auth, version_id)


@router.post("/from-tape", response=created(AgentDetail))
def add_agent_from_tape(request: PersonRequest, body: TapeAgentIn) -> Status[AgentDetail]:
    """Add an agent with the instruction, the tools and the kinds of steps of a tape."""
    return Status(201, tape_agents.add_agent(request.auth, body.tape_id, body.name))


@router.post("/import", response=created(AgentDetail))
def import_agent(request: PersonRequest, body: AgentFileIn) -> Status[AgentDetail]:
    """Add the agent of a file, or if the project has one of its name, its next version.

    The file is YAML as `/versions/{version_id}/yaml` writes it, an agent config of Google ADK, or
    Python code of the OpenAI Agents SDK, of which nothing is executed. The note of the version
    lists what has no equivalent.
    """
    others = {one.path: one.text for one in body.others}
    files = AgentFiles(body.text, body.path, others)
    return Status(201, spec_files.import_agent(request.auth, files))
