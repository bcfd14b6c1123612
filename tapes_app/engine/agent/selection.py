"""Who acts next: the active agent and its node, decided from the view stack alone."""

from typing import NamedTuple

from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.nodes import Node
from tapes_app.engine.errors import DelegationError, NodeNotFoundError
from tapes_app.engine.tape.view import TapeView, ViewStack


class Selection(NamedTuple):
    """The active member of the team, its path from the root's name, and its next node."""

    agent: Agent
    path: str
    node: Node


def select(root: Agent, stack: ViewStack) -> Selection:
    """Return who acts next; for an agent with its own node selection, its first node (`select_on`).

    Raises:
        AgentNotFoundError: a `Call` named an agent that the team does not have.
        NodeNotFoundError: the next node is unknown, or the last one has run.
        DelegationError: agents called together have not been joined yet; each has its own stack.
    """
    if root.reads_whole_tape:
        return Selection(root, root.name, root.nodes[0])
    if stack.lanes is not None:
        raise DelegationError(
            f"Agent {stack.top.name!r} waits for the agents that it has called together; continue "
            "each of them on its own tape, or run the tape."
        )
    view = stack.top
    agent = root.find_subagent(view.agent_path)
    path = f"{root.name}/{view.agent_path}" if view.agent_path else root.name
    if agent.routes_itself and agent.nodes:
        return Selection(agent, path, agent.nodes[0])
    return Selection(agent, path, select_node(agent, view, root_name=root.name))


def select_node(agent: Agent, view: TapeView, *, root_name: str) -> Node:
    """Return the node that an agent runs next on its view.

    On a tape that another team wrote, node names mean nothing to this one: it starts at its first
    node and reads what is there, unless somebody else chose one of its nodes.
    """
    if not agent.nodes:
        raise NodeNotFoundError(f"Agent {agent.name!r} has no nodes.", agent=agent.name)
    chosen = _find_node_by_pointer(agent, view.next_node)
    if view.last_agent and view.last_agent.partition("/")[0] != root_name:
        return chosen if chosen and view.is_pointer_unsigned else agent.nodes[0]
    if chosen is not None:
        return chosen
    if view.next_node is not None:
        raise NodeNotFoundError(
            f"Node {view.next_node!r} not found in agent {agent.name!r}; available: "
            f"{[node.name for node in agent.nodes]}.",
            agent=agent.name,
            node=str(view.next_node),
        )
    if not view.last_node:
        return agent.nodes[0]
    names = [node.name for node in agent.nodes]
    if view.last_node not in names:
        raise NodeNotFoundError(
            f"The tape's last node {view.last_node!r} is not one of agent {agent.name!r}'s "
            f"nodes, {names}. Resume with the agent that wrote the tape, or cut the tape before "
            "that node.",
            agent=agent.name,
            node=view.last_node,
        )
    position = names.index(view.last_node) + 1
    if position == len(names):
        raise NodeNotFoundError(
            f"Next node not found: {view.last_node!r} is the last node of agent {agent.name!r}. "
            "End the node with a Respond, an action or a SetNextNode.",
            agent=agent.name,
            node=view.last_node,
        )
    return agent.nodes[position]


def _find_node_by_pointer(agent: Agent, pointer: str | int | None) -> Node | None:
    """Return the node that a `SetNextNode` names; integers are positions, as in the paper."""
    if not isinstance(pointer, int):
        return agent.find_node(pointer) if pointer is not None else None
    is_inside = -len(agent.nodes) <= pointer < len(agent.nodes)
    return agent.nodes[pointer] if is_inside else None
