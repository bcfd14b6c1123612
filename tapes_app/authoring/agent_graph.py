"""The drawing of an agent: its nodes, what may run after each, and which are never reached."""

from collections.abc import Iterator, Mapping
from typing import Any

from tapes_app.authoring.rows import Graph, GraphEdge, GraphNode
from tapes_app.engine.agent import Agent
from tapes_app.engine.errors import StudioError
from tapes_app.engine.json_pointer import write_pointer
from tapes_app.engine.nodes import Node, Route

GO_TO = ("next_node", "then", "otherwise", "after_answer", "routes")
"""Settings that name nodes of the same agent."""

Members = Mapping[str, Agent]
"""The agents of a team by the JSON pointers to them; the root is at the empty one."""


def list_targets(value: Any) -> Iterator[tuple[tuple[str, ...], str | int]]:
    """Yield the nodes that the settings of a node name, each with its place in them."""
    for name in GO_TO:
        found = value.get(name)
        named = found.items() if isinstance(found, dict) else [("", found)]
        for key, target in named:
            if isinstance(target, str | int) and target != "" and not isinstance(target, bool):
                yield ((name, key) if isinstance(found, dict) else (name,)), target


def find_target(agent: Agent, target: str | int) -> int | None:
    """Return the position of a node by its name, or by its position as in the paper."""
    if isinstance(target, int):
        count = len(agent.nodes)
        return target % count if -count <= target < count else None
    return next((at for at, node in enumerate(agent.nodes) if node.name == target), None)


def list_routes(node: Node, agent: Agent) -> tuple[Route, ...]:
    """Return the routes of a node; none if its code cannot tell them."""
    try:
        return tuple(node.list_routes(agent))
    except StudioError:
        return ()
    except Exception:  # noqa: BLE001 - a plugin's code, of a draft that may be wrong
        return ()


def draw_graph(members: Members, types: Mapping[str, str], routes: "Routes") -> Graph:
    """Return the drawing of a team; `types` are those of its nodes in the spec, by pointer."""
    reached = find_reached(members, routes)
    names = name_members(members)
    nodes = tuple(
        GraphNode(
            path=point_to_node(pointer, at),
            agent=names[pointer],
            name=node.name,
            type=types[point_to_node(pointer, at)],
            is_reachable=(pointer, at) in reached,
        )
        for pointer, agent in members.items()
        for at, node in enumerate(agent.nodes)
    )
    edges = tuple(
        edge
        for pointer, agent in members.items()
        for at in range(len(agent.nodes))
        for route in routes[(pointer, at)]
        for edge in _draw_route(members, pointer, at, route)
    )
    return Graph(nodes, edges)


Routes = Mapping[tuple[str, int], tuple[Route, ...]]
"""The routes of nodes by agent and position."""


def list_all_routes(members: Members) -> Routes:
    return {
        (pointer, at): list_routes(node, agent)
        for pointer, agent in members.items()
        for at, node in enumerate(agent.nodes)
    }


def name_members(members: Members) -> dict[str, str]:
    """Return the names of agents from the root on, by pointer."""
    names: dict[str, str] = {}
    for pointer, agent in members.items():
        manager = pointer.rpartition("/subagents/")[0]
        names[pointer] = f"{names[manager]}/{agent.name}" if pointer else agent.name
    return names


def find_reached(members: Members, routes: Routes) -> set[tuple[str, int]]:
    """Return the nodes that can run, from the root's first one on."""
    reached: set[tuple[str, int]] = set()
    waiting = [("", 0)]
    while waiting:
        pointer, at = waiting.pop()
        agent = members[pointer]
        if (pointer, at) in reached or at >= len(agent.nodes):
            continue
        if agent.routes_itself or any(map(_is_secretive, agent.nodes)):
            waiting += [(pointer, other) for other in range(len(agent.nodes))]
            waiting += [(member, 0) for member in _members_of(members, pointer)]
        reached.add((pointer, at))
        node = agent.nodes[at]
        named = [target for _, target in list_targets(node.model_dump(include=set(GO_TO)))]
        for target in (*named, *(route.node for route in routes[(pointer, at)])):
            found = find_target(agent, target) if target != "" else None
            waiting += [] if found is None else [(pointer, found)]
        for route in routes[(pointer, at)]:
            called = _find_member(members, pointer, route.agent)
            waiting += [] if called is None else [(called, 0)]
    return reached


def _is_secretive(node: Node) -> bool:
    """Return whether the code of a node decides what runs next, without telling the drawing."""
    cls = type(node)
    writes_itself = cls.generate_steps is not Node.generate_steps
    return writes_itself and cls.list_routes is Node.list_routes


def _members_of(members: Members, pointer: str) -> list[str]:
    return [other for other in members if other and other.rpartition("/subagents/")[0] == pointer]


def _find_member(members: Members, pointer: str, name: str) -> str | None:
    if not name:
        return None
    found = (one for one in _members_of(members, pointer) if members[one].name == name)
    return next(found, None)


def _draw_route(members: Members, pointer: str, at: int, route: Route) -> Iterator[GraphEdge]:
    source = point_to_node(pointer, at)
    called = _find_member(members, pointer, route.agent)
    if called is not None and members[called].nodes:
        yield GraphEdge(source, point_to_node(called, 0), f"calls {route.agent}")
    target = find_target(members[pointer], route.node) if route.node != "" else None
    if target is not None:
        yield GraphEdge(source, point_to_node(pointer, target), route.label)


def point_to_node(pointer: str, at: int) -> str:
    return point_to(pointer, "nodes", at)


def point_to(pointer: str, *names: object) -> str:
    """Return the JSON pointer to a place inside the value at another pointer."""
    return pointer + write_pointer(names)
