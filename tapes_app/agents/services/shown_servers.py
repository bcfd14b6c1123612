"""MCP servers on the page *Environments*: adding them, and allowing the tools that it shows.

Only operators may: a server is a program that workers start, for all projects. Nothing is started
here. A check asks the server, as a job of a worker, and what it found is what can be allowed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.views.decorators.debug import sensitive_variables

from tapes_app.agents.services.mcp_servers import mcp_files
from tapes_app.engine.errors import ConflictError, NotAllowedError, NotFoundError
from tapes_app.engine.tape.field_diff import diff_fields
from tapes_app.environments.mcp.allowed import AllowedTool, OfferedTool, refuse_twins
from tapes_app.environments.mcp.pasted import read_pasted, refuse_unlisted
from tapes_app.environments.mcp.server import read_servers
from tapes_app.projects.services.people import Person, refuse_tokens
from tapes_app.tapes.domain.word_diff import FieldChange, show_field


@dataclass(frozen=True, slots=True)
class AddedServers:
    """What was added."""

    names: tuple[str, ...]
    variables: tuple[str, ...]
    """To be set in the studio's environment: they stand for values that were not kept."""


@dataclass(frozen=True, slots=True)
class ShownTool:
    """A tool of a server: as it was allowed, and as it was offered when the server was asked."""

    served_as: str
    """What the server calls it."""

    name: str
    """What models call it."""

    description: str
    is_allowed: bool
    is_irreversible: bool
    """Whether runs ask before each call; of one that is not allowed, as the server says."""

    digest: str
    """Of the definition that agents use, or would if it were allowed."""

    offered_digest: str
    """Of the definition that the server offered; empty: it did not offer the tool."""

    changes: tuple[str, ...]
    """How the server has changed it since it was allowed, in words."""

    fields: tuple[FieldChange, ...]
    """The same, field by field."""


@dataclass(frozen=True, slots=True)
class ToolChoice:
    """A tool that agents are to use, with the definition that a person has seen."""

    served_as: str
    name: str
    is_irreversible: bool
    digest: str


def may_change_servers(person: Person) -> bool:
    """Return whether the person may add servers, and allow their tools."""
    return person.is_operator and person.can_write and not person.token


@sensitive_variables()
def add_pasted(person: Person, data: Any) -> AddedServers:
    """Add the servers of a pasted `mcpServers` object; their keys are not kept.

    Raises:
        NotAllowedError: the person is no operator, or the server may not be added here.
        InvalidInputError: it has another form, or an argument or an address holds a key.
        ConflictError: there is a server of this name.
    """
    _refuse_others(person, "add MCP servers")
    pasted = read_pasted(data)
    if settings.STUDIO_ACCOUNTS:
        for name, server in read_servers(pasted.servers).items():
            refuse_unlisted(name, server, settings.STUDIO_MCP_SERVERS)
    names = mcp_files().add_servers(pasted.servers, replaces=False)
    return AddedServers(tuple(names), pasted.variables)


def remove_shown(person: Person, name: str) -> None:
    """Remove a server. Agents that name its tools can no longer run.

    Raises:
        NotAllowedError: the person is no operator.
        NotFoundError: there is none of this name.
    """
    _refuse_others(person, "remove MCP servers")
    mcp_files().remove_server(name)


def show_tools(name: str) -> list[ShownTool]:
    """Return the tools of a server that are allowed, then those that it offered besides.

    Raises:
        NotFoundError: there is no server of this name.
    """
    files = mcp_files()
    files.find_server(name)
    asked = files.read_offered().get(name)
    offered = {tool.name: tool for tool in asked or ()}
    allowed = files.read_allowed().get(name, ())
    known = {tool.served_as for tool in allowed}
    rows = []
    for tool in allowed:
        now = offered.get(tool.served_as)
        rows.append(_show_allowed(tool, now, [] if asked is None else tool.list_changes(now)))
    return rows + [_show_offered(tool) for tool in offered.values() if tool.name not in known]


def allow_shown(person: Person, name: str, choices: Sequence[ToolChoice]) -> list[ShownTool]:
    """Let agents use these tools of a server, as the person has seen them, and no others of it.

    Raises:
        NotAllowedError: the person is no operator.
        NotFoundError: there is no such server or tool.
        ConflictError: a tool is another one than the person has seen.
        InvalidInputError: no model can call a tool by its name, or two would have one name.
    """
    _refuse_others(person, "allow tools of MCP servers")
    files = mcp_files()
    files.find_server(name)
    offered = {tool.name: tool for tool in files.read_offered().get(name, ())}
    before = {tool.served_as: tool for tool in files.read_allowed().get(name, ())}
    allowed = [
        AllowedTool.allow(
            _find(choice, before.get(choice.served_as), offered.get(choice.served_as)),
            choice.name,
            is_irreversible=choice.is_irreversible,
        )
        for choice in choices
    ]
    refuse_twins(allowed)
    files.allow(name, allowed)
    return show_tools(name)


def _find(
    choice: ToolChoice, allowed: AllowedTool | None, offered: OfferedTool | None
) -> OfferedTool:
    """Return the definition that a person has seen."""
    if offered is not None and offered.digest == choice.digest:
        return offered
    if allowed is not None and allowed.digest == choice.digest:
        return OfferedTool(name=choice.served_as, **allowed.definition)
    if offered is None and allowed is None:
        raise NotFoundError(
            f"The MCP server offers no tool {choice.served_as[:200]!r}; check it again.",
            tool=choice.served_as[:200],
        )
    raise ConflictError(
        f"The tool {choice.served_as!r} has changed since you looked at it. Look again.",
        tool=choice.served_as,
    )


def _show_allowed(tool: AllowedTool, offered: OfferedTool | None, changes: list[str]) -> ShownTool:
    fields = diff_fields(tool.definition, offered.definition) if changes and offered else ()
    return ShownTool(
        served_as=tool.served_as,
        name=tool.name,
        description=tool.description,
        is_allowed=True,
        is_irreversible=tool.is_irreversible,
        digest=tool.digest,
        offered_digest=offered.digest if offered else "",
        changes=tuple(changes),
        fields=tuple(map(show_field, fields)),
    )


def _show_offered(tool: OfferedTool) -> ShownTool:
    return ShownTool(
        served_as=tool.name,
        name=tool.name,
        description=tool.description,
        is_allowed=False,
        is_irreversible=tool.is_irreversible,
        digest=tool.digest,
        offered_digest=tool.digest,
        changes=(),
        fields=(),
    )


def _refuse_others(person: Person, what: str) -> None:
    refuse_tokens(person, what)
    if not person.is_operator:
        raise NotAllowedError(
            f"Only operators of this studio can {what}: they are used in all projects. Ask one."
        )
