"""Detectors about names: tools, agents, nodes, and calls that never got a response."""

import difflib
from collections import defaultdict
from collections.abc import Collection, Iterator
from typing import NamedTuple

from tapes_app.engine.agent.spec import AgentSpec, NodeSpec
from tapes_app.engine.tape.control_steps import Call, CallTogether, Respond, SetNextNode
from tapes_app.engine.tape.dialog_steps import ToolCalls
from tapes_app.engine.tape.steps import Step
from tapes_app.lint.domain.findings import Found
from tapes_app.lint.domain.reading import Reading


def find_unknown_tools(reading: Reading) -> Iterator[Found]:
    """Find calls of tools that were not offered to any model."""
    tools = reading.context.tools
    if not tools:
        return
    for position, step in enumerate(reading.steps):
        if not isinstance(step, ToolCalls):
            continue
        for index, call in enumerate(step.tool_calls):
            name = call.function.name
            if name not in tools:
                yield Found(
                    position,
                    f"There is no tool {name!r}{_nearest(name, tools)}.",
                    f"/tool_calls/{index}/function/name",
                )


def find_unknown_agents(reading: Reading) -> Iterator[Found]:
    """Find calls of agents that are not subagents of the caller."""
    for position, step in enumerate(reading.steps):
        caller = _find_member(reading, step.metadata.agent)
        if caller is None:
            continue
        known = [member.name for member in caller.subagents]
        for field, name in _list_called(step):
            if name not in known:
                yield Found(
                    position,
                    f"Agent {caller.name!r} has no subagent {name!r}{_nearest(name, known)}.",
                    field,
                )


def _list_called(step: Step) -> Iterator[tuple[str, str]]:
    """Yield the agents that a step calls, each with the JSON pointer to its name."""
    if isinstance(step, Call):
        yield "/agent_name", step.agent_name
    elif isinstance(step, CallTogether):
        for at, one in enumerate(step.calls):
            yield f"/calls/{at}/agent_name", one.agent_name


def find_bad_node_pointers(reading: Reading) -> Iterator[Found]:
    """Find steps that choose a node that the agent does not have."""
    for position, step in enumerate(reading.steps):
        if not isinstance(step, SetNextNode):
            continue
        agent = _find_member(reading, step.metadata.agent)
        if agent is None:
            continue
        names = [_node_name(node) for node in agent.nodes]
        pointer = step.next_node
        if isinstance(pointer, int):
            if not -len(names) <= pointer < len(names):
                yield Found(
                    position,
                    f"Node {pointer} is out of range: agent {agent.name!r} has {len(names)} nodes.",
                    "/next_node",
                )
        elif pointer not in names:
            yield Found(
                position,
                f"Agent {agent.name!r} has no node {pointer!r}{_nearest(pointer, names)}.",
                "/next_node",
            )


def find_open_calls(reading: Reading) -> Iterator[Found]:
    """Find calls whose caller continues before anybody responded, and responses without a call.

    A tape that ends inside a call is unfinished, which is not a mistake. In a lane, the last
    response answers the call of the lane.
    """
    by_lane: defaultdict[str, list[_OpenCall]] = defaultdict(list)
    for position, step in enumerate(reading.steps):
        if reading.families[position] == "observation":
            continue
        open_calls, writer = by_lane[step.metadata.lane], step.metadata.agent
        path = writer.partition("/")[2]
        while writer and open_calls and open_calls[-1].is_left_by(path, step.metadata.prompt_id):
            left = open_calls.pop()
            yield Found(
                left.position,
                f"Agent {left.callee!r} was called here but never responded: its caller "
                f"continues at step {position}.",
            )
        if isinstance(step, Call):
            open_calls.append(_OpenCall(position, path, step.agent_name, step.metadata.prompt_id))
        elif isinstance(step, Respond):
            if open_calls:
                open_calls.pop()
            elif not step.metadata.lane:
                yield Found(position, "This step responds, but no agent was called.")


class _OpenCall(NamedTuple):
    position: int
    caller: str
    """Path below the root agent; empty for the root itself."""

    callee: str
    prompt_id: str

    def is_left_by(self, path: str, prompt_id: str) -> bool:
        """Return whether a step is by the caller, or by an agent above it.

        Other steps of the node run that made the call belong to the call.
        """
        if prompt_id == self.prompt_id:
            return False
        inside = f"{self.caller}/{self.callee}".strip("/")
        if path == inside or path.startswith(f"{inside}/"):
            return False
        return not path or f"{self.caller}/".startswith(f"{path}/")


def _find_member(reading: Reading, path: str) -> AgentSpec | None:
    """Return the member at a path of the known team; `None` for a tape of another team."""
    agent = reading.context.agent
    root, _, rest = path.partition("/")
    if agent is None or root != agent.name:
        return None
    for name in rest.split("/") if rest else ():
        found = [member for member in agent.subagents if member.name == name]
        if not found:
            return None
        agent = found[0]
    return agent


def _node_name(node: NodeSpec) -> str:
    return str(node.settings.get("name") or node.type.rpartition(".")[2])


def _nearest(name: str, known: Collection[str]) -> str:
    close = difflib.get_close_matches(name, list(known), n=1)
    if close:
        return f"; closest match: {close[0]!r}"
    shown = ", ".join(repr(other) for other in sorted(known)[:5])
    return f"; available: {shown}" if shown else ""
