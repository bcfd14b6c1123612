"""An agent whose models are also offered the tools of its caller."""

from collections.abc import Sequence
from typing import Any

from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.nodes import Node
from tapes_app.engine.environment.described_tools import caller_tools
from tapes_app.engine.environment.tool_functions import AnyTool
from tapes_app.engine.errors import InvalidInputError


def offer_caller_tools(agent: Agent, schemas: Sequence[dict[str, Any]]) -> Agent:
    """Return the agent with the caller's tools at its nodes that offer tools.

    If none of them does, all that could offer some get them; members of a team do not.

    Raises:
        InvalidInputError: no node can offer tools, or one has a tool of the same name.
    """
    if not schemas:
        return agent
    able = [node for node in agent.nodes if "tools" in type(node).model_fields]
    chosen = [node for node in able if _tools_of(node)] or able
    if not chosen:
        raise InvalidInputError(
            f"No node of agent {agent.name!r} can offer tools; leave the tools out."
        )
    added = caller_tools(schemas)
    taken = {tool.name for node in chosen for tool in _tools_of(node)}
    for tool in added:
        if tool.name in taken:
            raise InvalidInputError(
                f"Agent {agent.name!r} has a tool {tool.name!r} of its own; rename yours.",
                tool=tool.name,
            )
    names = {node.name for node in chosen}
    nodes = tuple(
        node.model_copy(update={"tools": (*_tools_of(node), *added)})
        if node.name in names
        else node
        for node in agent.nodes
    )
    return agent.model_copy(update={"nodes": nodes})


def _tools_of(node: Node) -> tuple[AnyTool, ...]:
    return tuple(getattr(node, "tools", ()))
