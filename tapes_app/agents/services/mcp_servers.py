"""The MCP servers of this studio: which there are, what they offer, and what agents may use.

They are changed in a shell here, and by operators on a page, which `shown_servers` is about.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from asgiref.sync import async_to_sync
from django.conf import settings
from django.views.decorators.debug import sensitive_variables

from tapes_app.engine.environment.opening import RunContext
from tapes_app.engine.errors import InvalidInputError, NotFoundError
from tapes_app.engine.redaction import register_secret
from tapes_app.environments.mcp.allowed import AllowedTool, OfferedTool, refuse_twins
from tapes_app.environments.mcp.connection import connect, list_offered
from tapes_app.environments.mcp.shelf import McpFiles
from tapes_app.environments.mcp.tools import PREFIX


@dataclass(frozen=True)
class McpServerRow:
    """A server, and how many of its tools agents may use."""

    name: str
    address: str
    host: str
    """Where it is, of one that is reached by an address; empty for a program."""

    allowed_count: int


@dataclass(frozen=True)
class McpToolRow:
    """A tool that a server offers, or did when it was allowed."""

    name: str
    description: str
    is_irreversible: bool
    used_as: str | None = None
    """How nodes name it; `None` if it is not allowed."""

    changes: tuple[str, ...] = ()
    """How it differs from what was allowed."""


def list_servers() -> list[McpServerRow]:
    """Return all servers by name.

    Raises:
        InvalidInputError: the file that lists them cannot be read; it says why.
    """
    files = mcp_files()
    allowed = files.read_allowed()
    return [
        McpServerRow(name, server.address, server.host, len(allowed.get(name, ())))
        for name, server in sorted(files.read_servers().items())
    ]


def add_servers(data: Any) -> list[str]:
    """Add the servers of an `mcpServers` object, and return their names.

    Raises:
        InvalidInputError: one is invalid; nothing is added.
    """
    return mcp_files().add_servers(data)


def remove_server(name: str) -> None:
    """Remove a server. Agents that name its tools can no longer run.

    Raises:
        NotFoundError: there is none of this name.
    """
    mcp_files().remove_server(name)


def list_tools(name: str) -> list[McpToolRow]:
    """Return the tools of a server that agents may use, then those that it offered besides.

    Nothing is started: they are compared with what the server offered when it was last asked.
    """
    files = mcp_files()
    return _compare(name, files.read_allowed().get(name, ()), files.read_offered().get(name))


def check_server(name: str) -> list[McpToolRow]:
    """Ask a server for its tools, and compare them with what was allowed.

    Raises:
        NotFoundError: there is no server of this name.
        AgentConfigError: it needs a variable that is not set.
        McpServerError: it does not answer; it says why.
    """
    return async_to_sync(ask_for_tools)(name)


async def ask_for_tools(name: str, *, notes: Path | None = None) -> list[McpToolRow]:
    """Return the same as `check_server`, for callers that can be cancelled.

    `notes` lists the program while it runs, as in `noted`.
    """
    files = mcp_files()
    offered = await _ask(files, name, notes)
    return _compare(name, files.read_allowed().get(name, ()), tuple(offered.values()))


def allow_tools(
    name: str,
    wanted: Sequence[str] = (),
    *,
    renamed: str = "",
    is_irreversible: bool | None = None,
) -> list[McpToolRow]:
    """Let agents use tools of a server as they are now; without names, all that it offers.

    `is_irreversible`: whether runs ask before each call; `None` = as the server says.

    Raises:
        NotFoundError: there is no such server or tool.
        InvalidInputError: two tools would have one name, or a name is invalid.
        McpServerError: the server does not answer.
    """
    files = mcp_files()
    offered = async_to_sync(_ask)(files, name)
    allowed = {tool.served_as: tool for tool in files.read_allowed().get(name, ())}
    if renamed and len(wanted) != 1:
        raise InvalidInputError("Only one tool at a time can be given another name.")
    by_given = {tool.name: tool.served_as for tool in allowed.values()}
    chosen = [tool if tool in offered else by_given.get(tool, tool) for tool in wanted]
    chosen = chosen or [*offered]
    for one in chosen:
        if one not in offered:
            raise NotFoundError(
                f"The MCP server {name!r} offers no tool {one!r}; it offers {sorted(offered)}.",
                tool=one,
            )
        before = allowed.get(one)
        asks = before.is_irreversible if is_irreversible is None and before else is_irreversible
        given = renamed or (before.name if before else "")
        allowed[one] = AllowedTool.allow(offered[one], given, is_irreversible=asks)
    refuse_twins(list(allowed.values()))
    files.allow(name, allowed.values())
    return [_describe_allowed(name, allowed[one]) for one in chosen]


def mcp_files() -> McpFiles:
    """Return the files of this studio's servers."""
    return McpFiles(Path(settings.STUDIO_DATA_DIR))


def _compare(
    name: str, allowed: Sequence[AllowedTool], offered: Sequence[OfferedTool] | None
) -> list[McpToolRow]:
    """Return the tools of a server; `offered`: `None` = it was not asked."""
    by_name = {tool.name: tool for tool in offered or ()}
    known = {tool.served_as for tool in allowed}
    rows = [
        _describe_allowed(
            name,
            tool,
            tool.list_changes(by_name.get(tool.served_as)) if offered is not None else (),
        )
        for tool in allowed
    ]
    return rows + [
        McpToolRow(tool.name, tool.description, tool.is_irreversible)
        for tool in offered or ()
        if tool.name not in known
    ]


def _describe_allowed(name: str, tool: AllowedTool, changes: Sequence[str] = ()) -> McpToolRow:
    return McpToolRow(
        name=tool.served_as,
        description=tool.description,
        is_irreversible=tool.is_irreversible,
        used_as=f"{PREFIX}{name}.{tool.name}",
        changes=tuple(changes),
    )


async def _ask(files: McpFiles, name: str, notes: Path | None = None) -> dict[str, OfferedTool]:
    server = files.find_server(name)
    context = RunContext(place=None, find_secret=_find_secret)
    filled = server.with_secrets(context.read_secret)
    async with connect(name, filled, notes=notes) as client:
        offered = await list_offered(name, filled, client)
    files.keep_offered(name, server, offered.values())
    return offered


@sensitive_variables()
def _find_secret(name: str) -> str | None:
    value: str | None = settings.STUDIO_READ_VARIABLE(name)
    if value:  # what a program writes before it fails may contain it
        register_secret(value)
    return value
