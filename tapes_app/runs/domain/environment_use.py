"""Which environments an agent uses, and which one an observation is of.

A tape does not record who answered a call. So it is told by the name of the tool, and where several
environments have a tool of that name, by what the tape's agent uses.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from tapes_app.engine.agent.spec import AgentSpec, NodeSpec, build_node, walk_nodes
from tapes_app.engine.environment.spec import list_chosen_types
from tapes_app.engine.errors import StudioError
from tapes_app.engine.tape.defined_steps import build_step_classes, in_team
from tapes_app.environments.emulated import EMULATED
from tapes_app.environments.mcp.tools import PREFIX
from tapes_app.environments.policy import RULED_BY
from tapes_app.tapes.domain.call_digests import tool_called_by, tools_of

TOOLS = ""
"""The environment of nodes' tools and the person, as specs name it."""

_STAND_INS = frozenset({EMULATED, RULED_BY, "replayed_from"})
"""What the metadata of an observation has that no environment made."""

_NAMED_BY_ERROR = (
    (re.compile(r"MCP server '([A-Za-z0-9_-]{1,64})'"), PREFIX),
    (re.compile(r"Environment 'mcp ([A-Za-z0-9_-]{1,64})', asked to"), PREFIX),
    (re.compile(r"Environment '([^']{1,100})', asked to"), ""),
)
_OF_ERROR_CODES = frozenset({"mcp_server_failed", "mcp_tools_changed", "agent_code", "agent_run"})
_BROWSER_MISSING = "browser_missing"


@dataclass(frozen=True, slots=True)
class ToolOwners:
    """Which environments have which tools, by the names that specs give the tools."""

    offers: Mapping[str, frozenset[str]]
    """The tools of each registered type."""

    sources: Mapping[str, str]
    """The environment that a tool brings along, so that an agent need not name it."""

    def list_used(self, spec: AgentSpec) -> dict[str, frozenset[str]]:
        """Return the environments that an agent uses, each with those of its tools that it uses."""
        chosen = set(list_chosen_types(spec.environment))
        used: dict[str, set[str]] = {name: set() for name in chosen}
        for tool in _list_tools(spec):
            for owner in self._find_owners(tool, chosen):
                used.setdefault(owner, set()).add(tool)
        return {name: frozenset(names) for name, names in used.items()}

    def _find_owners(self, tool: str, chosen: Iterable[str]) -> list[str]:
        named = [name for name in chosen if tool in self.offers.get(name, ())]
        if named:
            return named
        if TOOLS not in chosen:  # one whose tools nobody knows may answer any
            return [name for name in chosen if not self.offers.get(name)]
        if tool.startswith(PREFIX):
            return [PREFIX + tool.removeprefix(PREFIX).partition(".")[0]]
        return [self.sources.get(tool, TOOLS)]


def _list_tools(spec: AgentSpec) -> set[str]:
    """Return the tools of a team: as its nodes name them, and those that node types have."""
    context: dict[str, Any] = {}
    with suppress(StudioError):
        context = in_team(build_step_classes(spec.kinds))
    return {tool for node in walk_nodes(spec) for tool in _list_tools_of(node, context)}


def _list_tools_of(node: NodeSpec, context: dict[str, Any]) -> Iterator[str]:
    named = node.settings.get("tools")
    if isinstance(named, list | tuple):
        yield from (one for one in named if isinstance(one, str))
    with suppress(StudioError):  # a tool is gone, which the page of the agent says
        yield from (tool.type_name for tool in build_node(node, context).list_tools())


@dataclass(frozen=True, slots=True)
class Attribution:
    """Tells which environments an observation or an error may be of."""

    by_tool: Mapping[str, frozenset[str]]
    """Environments by the names that models call their tools."""

    by_agent: Mapping[UUID, frozenset[str]] = field(default_factory=dict)
    """What each agent uses."""

    toolless: frozenset[str] = frozenset()
    """Environments that answer other actions than calls of tools."""

    def of_tool(self, tool: str, agent_id: UUID | None) -> frozenset[str]:
        """Return who may have answered a call of a tool, or another action if it is empty."""
        own = self.by_agent.get(agent_id, frozenset()) if agent_id else frozenset[str]()
        if not tool:
            return own & self.toolless
        named = self.by_tool.get(tool, frozenset())
        return own & named or named


def is_of_environment(observation: Mapping[str, Any]) -> bool:
    """Return whether an environment made an observation: no rule, recording or emulator did."""
    metadata = observation.get("metadata")
    other = metadata.get("other") if isinstance(metadata, dict) else None
    return not (isinstance(other, dict) and _STAND_INS.intersection(other))


def name_tool(observation: dict[str, Any], action: dict[str, Any]) -> str:
    """Return the tool whose call an observation answers; empty if that is not known."""
    called = tools_of(action)
    return tool_called_by(action, observation) or (called[0] if len(called) == 1 else "")


def name_environment(error_code: str, message: str) -> str | None:
    """Return the environment that made a run fail, as its error says; `None`: none did."""
    if error_code == _BROWSER_MISSING:
        return "browser"
    if error_code not in _OF_ERROR_CODES:
        return None
    for pattern, prefix in _NAMED_BY_ERROR:
        if found := pattern.search(message):
            return f"{prefix}{found[1]}"
    return None
