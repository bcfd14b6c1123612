"""The agent of a plugin without the plugin's node classes, where data can say what they do."""

from collections.abc import Iterator

from pydantic import ValidationError

from tapes_app.authoring.domain.agent_graph import point_to
from tapes_app.authoring.domain.kind_problems import build_sound_kinds
from tapes_app.authoring.domain.node_types import find_source, is_usable
from tapes_app.authoring.domain.rows import CodeOfAgent, PlainCopy
from tapes_app.engine.agent.agent import AGENT_CLASSES
from tapes_app.engine.agent.nodes import Node, find_node_class
from tapes_app.engine.agent.spec import AgentSpec, NodeSpec, describe_node
from tapes_app.engine.errors import AgentConfigError, StudioError
from tapes_app.engine.tape.defined_steps import StepClassesByName, in_team

_NOT_CODE = frozenset({"type_name", "model_config", "_abc_impl"})


class _CodeError(StudioError):
    """Data cannot say what a node does; the message says why."""


def make_plain_copy(spec: AgentSpec) -> PlainCopy:
    """Return the spec of an agent with nodes that ship instead of those of plugins.

    A node of a plugin can be replaced if its class only sets other defaults than a class that
    ships; if one cannot, there is no spec, and each of them is listed.
    """
    kinds = build_sound_kinds(spec.kinds)
    found: list[CodeOfAgent] = []
    plain = _copy(spec, "", kinds, found)
    has_code = bool(found) or plain != spec
    return PlainCopy(has_code, None if found else plain, tuple(found))


def _copy(
    spec: AgentSpec, pointer: str, kinds: StepClassesByName, found: list[CodeOfAgent]
) -> AgentSpec:
    cls = AGENT_CLASSES.get(spec.type)
    if cls is not None and (source := find_source(cls)):
        message = f"Agent {spec.name!r} is of a class of its own, which chooses its nodes."
        found.append(CodeOfAgent(pointer, source, message))
    nodes = []
    for at, node in enumerate(spec.nodes):
        path = point_to(pointer, "nodes", at)
        try:
            nodes.append(_replace(node, kinds))
        except _CodeError as error:
            found.append(CodeOfAgent(path, str(error.details["source"]), error.message))
    members = [
        _copy(member, point_to(pointer, "subagents", at), kinds, found)
        for at, member in enumerate(spec.subagents)
    ]
    return spec.model_copy(update={"nodes": tuple(nodes), "subagents": tuple(members)})


def _replace(spec: NodeSpec, kinds: StepClassesByName) -> NodeSpec:
    name = str(spec.settings.get("name", spec.type))
    try:
        cls = find_node_class(spec.type)
    except AgentConfigError:
        cls = None
    if cls is None:
        raise _CodeError(f"Node {name!r} is of a type that is not loaded here.", source=spec.type)
    source = find_source(cls)
    if not source:
        return spec
    base = next(one for one in cls.__mro__ if issubclass(one, Node) and not find_source(one))
    own = sorted({*_list_code(cls, base), *(cls.model_fields.keys() - base.model_fields.keys())})
    if own or not is_usable(base):
        what = ", ".join(own) or "all that it does"
        raise _CodeError(f"Node {name!r} has code of its own: {what}.", source=source)
    try:
        node = cls.model_validate(spec.settings, context=in_team(kinds))
        settings = {**node.model_dump(mode="json"), "name": node.name}
        return describe_node(base.model_validate(settings, context=in_team(kinds)))
    except (ValidationError, StudioError) as error:
        raise _CodeError(f"The settings of node {name!r} cannot be read.", source=source) from error


def _list_code(cls: type[Node], base: type[Node]) -> Iterator[str]:
    """Yield what a class, or one between it and its base, defines except its settings."""
    for one in cls.__mro__[: cls.__mro__.index(base)]:
        for name in vars(one):
            if not name.startswith("__") and name not in _NOT_CODE:
                yield name
