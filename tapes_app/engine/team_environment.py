"""The environment that follows from what a team's nodes offer: their tools, and the person."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from tapes_app.engine.environment import Environment, EnvironmentGroup, NoEnvironment
from tapes_app.engine.errors import AgentConfigError
from tapes_app.engine.human import HumanEnvironment
from tapes_app.engine.nodes import Node
from tapes_app.engine.tool_environment import ToolEnvironment
from tapes_app.engine.tool_functions import AnyTool

if TYPE_CHECKING:
    from tapes_app.engine.agent import Agent


def environment_of(agent: Agent) -> Environment:
    """Return the tools of a whole team, and the person who reads what it says.

    Raises:
        AgentConfigError: two tools have one name, or a signature cannot be read.
    """
    return make_environment(node for _, member in agent.walk() for node in member.nodes)


def make_environment(nodes: Iterable[Node]) -> Environment:
    """Return what answers some nodes; nothing does where they neither talk nor offer tools.

    Raises:
        AgentConfigError: two tools have one name, or a signature cannot be read.
    """
    team = list(nodes)
    tools: dict[str, AnyTool] = {}
    for node in team:
        for tool in node.list_tools():
            other = tools.setdefault(tool.name, tool)
            if other is not tool:
                raise AgentConfigError(
                    f"Two tools in the team are named {tool.name!r}: {other.type_name!r} and "
                    f"{tool.type_name!r}; rename one of the functions.",
                    tool=tool.name,
                )
    if not tools and not any(node.talks for node in team):
        return NoEnvironment()
    return EnvironmentGroup(ToolEnvironment(tools.values()), HumanEnvironment())
