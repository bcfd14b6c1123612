"""The MCP servers of this studio: which there are, what they offer, and what agents may use.

Only its operator changes them, in a shell: a server is a program that workers start.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from asgiref.sync import async_to_sync
from django.conf import settings

from tapes_app.engine.environment.opening import RunContext
from tapes_app.engine.errors import InvalidInputError, NotFoundError
from tapes_app.environments.mcp.allowed import MOST_TOOLS, AllowedTool
from tapes_app.environments.mcp.connection import connect, list_served
from tapes_app.environments.mcp.shelf import McpFiles


@dataclass(frozen=True)
class McpServerRow:
    """A server, and how many of its tools agents may use."""

    name: str
    address: str
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
    files = _files()
    allowed = files.read_allowed()
    return [
        McpServerRow(name, server.address, len(allowed.get(name, ())))
        for name, server in sorted(files.read_servers().items())
    ]


def add_servers(data: Any) -> list[str]:
    """Add the servers of an `mcpServers` object, and return their names.

    Raises:
        InvalidInputError: one is invalid; nothing is added.
    """
    return _files().add_servers(data)


def remove_server(name: str) -> None:
    """Remove a server. Agents that name its tools can no longer run.

    Raises:
        NotFoundError: there is none of this name.
    """
    _files().remove_server(name)


def check_server(name: str) -> list[McpToolRow]:
    """Ask a server for its tools, and compare them with what was allowed.

    Raises:
        NotFoundError: there is no server of this name.
        McpServerError: it does not answer; it says why.
    """
    files = _files()
    known = {tool.served_as: tool for tool in files.read_allowed().get(name, ())}
    served = _ask(files, name)
    rows = [
        McpToolRow(
            name=tool.served_as,
            description=tool.description,
            is_irreversible=tool.is_irreversible,
            used_as=f"mcp.{name}.{tool.name}",
            changes=tuple(tool.list_changes(served.get(tool.served_as))),
        )
        for tool in known.values()
    ]
    offered = [tool for tool in served.values() if tool.name not in known]
    return rows + [_describe(tool) for tool in offered]


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
    files = _files()
    served = _ask(files, name)
    allowed = {tool.served_as: tool for tool in files.read_allowed().get(name, ())}
    if renamed and len(wanted) != 1:
        raise InvalidInputError("Only one tool at a time can be given another name.")
    by_given = {tool.name: tool.served_as for tool in allowed.values()}
    chosen = [tool if tool in served else by_given.get(tool, tool) for tool in wanted] or [*served]
    for one in chosen:
        if one not in served:
            raise NotFoundError(
                f"The MCP server {name!r} offers no tool {one!r}; it offers {sorted(served)}.",
                tool=one,
            )
        before = allowed.get(one)
        tool = AllowedTool.read(served[one], renamed or (before.name if before else ""))
        if is_irreversible is None and before is not None:
            is_irreversible_now = before.is_irreversible
        else:
            is_irreversible_now = (
                tool.is_irreversible if is_irreversible is None else is_irreversible
            )
        allowed[one] = tool.model_copy(update={"is_irreversible": is_irreversible_now})
    names = [tool.name for tool in allowed.values()]
    if len(set(names)) < len(names):
        twice = next(one for one in names if names.count(one) > 1)
        raise InvalidInputError(f"Two tools would be named {twice!r}; give one another name.")
    if len(names) > MOST_TOOLS:
        raise InvalidInputError(f"At most {MOST_TOOLS} tools of a server can be allowed.")
    files.allow(name, allowed.values())
    return [
        replace(
            _describe(served[one]),
            used_as=f"mcp.{name}.{allowed[one].name}",
            is_irreversible=allowed[one].is_irreversible,
        )
        for one in chosen
    ]


def _describe(served: Any) -> McpToolRow:
    hints = served.annotations
    return McpToolRow(
        name=served.name,
        description=served.description or served.title or "",
        is_irreversible=AllowedTool.read(served, "x").is_irreversible if hints else True,
    )


@async_to_sync
async def _ask(files: McpFiles, name: str) -> dict[str, Any]:
    server = files.find_server(name)
    context = RunContext(place=None, find_secret=settings.STUDIO_READ_VARIABLE)
    async with connect(name, server.with_secrets(context.read_secret)) as client:
        return await list_served(client)


def _files() -> McpFiles:
    return McpFiles(Path(settings.STUDIO_DATA_DIR))
