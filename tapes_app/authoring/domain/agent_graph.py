"""The drawing of a team: its nodes, what may run after each, and which are never reached."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any, TypeGuard

from tapes_app.authoring.domain.rows import Graph, GraphEdge, GraphNode
from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.nodes import Node, Route
from tapes_app.engine.json_pointer import write_pointer

GO_TO = ("next_node", "then", "otherwise", "after_answer", "after_tools", "routes")
"""Settings that name nodes of the same agent."""

MOST_EDGES = 5_000
"""How many arrows are drawn; nobody reads more."""


@dataclass(frozen=True)
class Member:
    """An agent of a team that may be wrong, with what is looked up in it often."""

    pointer: str
    """The JSON pointer to its spec; empty for the root."""

    path: str
    """Its name, after those of its managers, such as `team/worker`."""

    agent: Agent

    @cached_property
    def positions(self) -> Mapping[str, int]:
        """The positions of its nodes by name; of two with one name, of the first."""
        return {node.name: at for at, node in reversed(list(enumerate(self.agent.nodes)))}

    @cached_property
    def places(self) -> Mapping[str, str]:
        """The JSON pointers to its subagents by name."""
        named = reversed(list(enumerate(self.agent.subagents)))
        return {one.name: point_to(self.pointer, "subagents", at) for at, one in named}

    @cached_property
    def routes(self) -> tuple[tuple[Route, ...], ...]:
        """The routes of each of its nodes; none of one whose code cannot tell them."""
        return tuple(_list_routes(node, self.agent) for node in self.agent.nodes)

    @cached_property
    def is_open(self) -> bool:
        """Whether any of its nodes may run next: code decides that, which no drawing can show."""
        return self.agent.routes_itself or any(map(_is_secretive, self.agent.nodes))

    def find_node(self, target: str | int) -> int | None:
        """Return the position of a node by its name, or by its position as in the paper."""
        if isinstance(target, int):
            count = len(self.agent.nodes)
            return target % count if -count <= target < count else None
        return self.positions.get(target)

    def point_to_node(self, at: int) -> str:
        return point_to(self.pointer, "nodes", at)


Team = Mapping[str, Member]
"""The members of a team by the JSON pointers to them, each manager before its subagents."""


def list_targets(settings: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], str | int]]:
    """Yield the nodes that the settings of a node name, each with its place in them."""
    for name in GO_TO:
        found = settings.get(name)
        if isinstance(found, Mapping):
            yield from (((name, key), one) for key, one in found.items() if _is_target(one))
        elif _is_target(found):
            yield (name,), found


def _is_target(value: Any) -> TypeGuard[str | int]:
    return isinstance(value, str | int) and not isinstance(value, bool) and value != ""


def draw_graph(team: Team, types: Mapping[str, str]) -> Graph:
    """Return the drawing of a team; `types` are those of its nodes in the spec, by pointer."""
    reached = find_reached(team)
    nodes = tuple(
        GraphNode(
            path=member.point_to_node(at),
            agent=member.path,
            name=node.name,
            type=types[member.point_to_node(at)],
            is_reachable=(pointer, at) in reached,
        )
        for pointer, member in team.items()
        for at, node in enumerate(member.agent.nodes)
    )
    return Graph(nodes, tuple(islice(_draw_edges(team), MOST_EDGES)))


def find_reached(team: Team) -> set[tuple[str, int]]:
    """Return the nodes that can run, by agent and position, from the root's first one on."""
    reached: set[tuple[str, int]] = set()
    opened: set[str] = set()
    waiting = [("", 0)]
    while waiting:
        pointer, at = waiting.pop()
        member = team[pointer]
        if (pointer, at) in reached or at >= len(member.agent.nodes):
            continue
        reached.add((pointer, at))
        if member.is_open and pointer not in opened:
            opened.add(pointer)
            waiting += [(pointer, other) for other in range(len(member.agent.nodes))]
            waiting += [(place, 0) for place in member.places.values()]
        waiting += _list_next(member, at)
    return reached


def _list_next(member: Member, at: int) -> Iterator[tuple[str, int]]:
    """Yield what may run after a node, in its agent or as the first node of a subagent."""
    settings = member.agent.nodes[at].model_dump(include=set(GO_TO))
    named = {target for _, target in list_targets(settings)}
    named |= {route.node for route in member.routes[at] if route.node != ""}
    for target in named:
        found = member.find_node(target)
        if found is not None:
            yield member.pointer, found
    for name in {route.agent for route in member.routes[at]}:
        if name in member.places:
            yield member.places[name], 0


def _draw_edges(team: Team) -> Iterator[GraphEdge]:
    for member in team.values():
        for at, routes in enumerate(member.routes):
            source = member.point_to_node(at)
            for route in routes:
                called = team[member.places[route.agent]] if route.agent in member.places else None
                if called is not None and called.agent.nodes:
                    yield GraphEdge(source, called.point_to_node(0), f"calls {route.agent}")
                target = member.find_node(route.node) if route.node != "" else None
                if target is not None:
                    yield GraphEdge(source, member.point_to_node(target), route.label)


def _list_routes(node: Node, agent: Agent) -> tuple[Route, ...]:
    try:
        return tuple(node.list_routes(agent))
    except Exception:  # noqa: BLE001 - a plugin's code, of a draft that may be wrong
        return ()


def _is_secretive(node: Node) -> bool:
    """Return whether the code of a node decides what runs next, without telling the drawing."""
    cls = type(node)
    writes_itself = cls.generate_steps is not Node.generate_steps
    return writes_itself and cls.list_routes is Node.list_routes


def point_to(pointer: str, *names: object) -> str:
    """Return the JSON pointer to a place inside the value at another pointer."""
    return pointer + write_pointer(names)
