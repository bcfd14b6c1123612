"""`/environments`: what answers agents, how it is, and checking it."""

from typing import Annotated, Any

from ninja import Path, Status
from pydantic import Field

from tapes_app.agents.services import shown_servers
from tapes_app.agents.services.shown_servers import AddedServers, ShownTool, ToolChoice
from tapes_app.environments.mcp.allowed import MOST_TOOLS
from tapes_app.jobs.api.schemas import JobOut
from tapes_app.jobs.services.listeners import ShownJob, show_job
from tapes_app.projects.api.bodies import In, Line
from tapes_app.projects.api.people import PersonRequest, created, emptied, make_router
from tapes_app.projects.domain.rows import Items
from tapes_app.runs.domain.environment_rows import Environments
from tapes_app.runs.services.environment_checks import start_check
from tapes_app.runs.services.environments import list_environments

router = make_router("environments")


class EnvironmentCheckIn(In):
    name: Line = Field(min_length=1, max_length=200)
    """A registered type, such as `browser`, or `mcp.SERVER`."""


class McpServersIn(In):
    servers: dict[str, Any]
    """As other programs write them: `{"mcpServers": {"NAME": {"command": …}}}`."""


class ToolChoiceIn(In):
    served_as: str = Field(max_length=10_000)
    name: Line = Field(max_length=200)
    is_irreversible: bool
    digest: str = Field(max_length=200)


class AllowedToolsIn(In):
    tools: list[ToolChoiceIn] = Field(max_length=MOST_TOOLS)


ServerName = Annotated[str, Path(max_length=200)]


@router.get("", response=Environments)
def show_environments(request: PersonRequest) -> Environments:
    """List the environments: their health, their tools, the agents that use them, what failed.

    Nothing is started. A tape does not record who answered a call, so failures are attributed by
    the name of the tool, and by what the agent of the tape uses.
    """
    return list_environments(request.auth)


@router.post("/checks", response=created(JobOut))
def check_environment(request: PersonRequest, body: EnvironmentCheckIn) -> Status[ShownJob]:
    """Check an environment in the background: its server is asked, or its program is started."""
    return Status(201, show_job(start_check(request.auth, body.name)))


@router.post("/servers", response=created(AddedServers))
def add_servers(request: PersonRequest, body: McpServersIn) -> Status[AddedServers]:
    """Add MCP servers, whose tools agents may use once they are allowed.

    Values of `env` and `headers` are not kept, since they may be keys: variables stand for them,
    which the answer names.
    """
    return Status(201, shown_servers.add_pasted(request.auth, body.servers))


@router.delete("/servers/{server}", response=emptied())
def remove_server(request: PersonRequest, server: ServerName) -> Status[None]:
    """Remove an MCP server, and what was allowed of it."""
    shown_servers.remove_shown(request.auth, server)
    return Status(204, None)


@router.get("/servers/{server}/tools", response=Items[ShownTool])
def show_server_tools(request: PersonRequest, server: ServerName) -> Items[ShownTool]:
    """List the tools of an MCP server: how they were allowed, and how it offers them."""
    return Items(shown_servers.show_tools(server))


@router.put("/servers/{server}/tools", response=Items[ShownTool])
def allow_server_tools(
    request: PersonRequest, server: ServerName, body: AllowedToolsIn
) -> Items[ShownTool]:
    """Let agents use these tools of an MCP server, as the person has seen them, and no others."""
    choices = [ToolChoice(**one.model_dump()) for one in body.tools]
    return Items(shown_servers.allow_shown(request.auth, server, choices))
