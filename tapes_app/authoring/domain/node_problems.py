"""What is wrong with one node of a spec: its settings, and what they refer to."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from pydantic import ValidationError

from tapes_app.authoring.domain.agent_graph import Member, list_targets, point_to
from tapes_app.authoring.domain.node_types import asks_model, is_usable, list_usable
from tapes_app.authoring.domain.rows import Problem
from tapes_app.builders.control_flow import CallNode, CallTogetherNode, GoToNode, IfNode
from tapes_app.builders.function_node import LLMFunctionNode
from tapes_app.builders.llm_function import LLMFunctionTemplate
from tapes_app.builders.mono import MonoNode
from tapes_app.builders.team import MemberNode, SpeakerNode
from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.nodes import TOOL_MODES, Node, find_node_class
from tapes_app.engine.agent.spec import NodeSpec
from tapes_app.engine.agent.structured_node import StructuredNode
from tapes_app.engine.agent.talk_node import TalkNode
from tapes_app.engine.errors import AgentConfigError, StudioError
from tapes_app.engine.tape.defined_steps import NO_KINDS, StepClassesByName, in_team

_MOST_NAMED = 40
_MOST_PROBLEMS = 50
_READERS = {
    cls.make_prompt for cls in (TalkNode, StructuredNode, MonoNode, MemberNode, SpeakerNode)
}
"""The ways to make a prompt that read the templates which `template` and `guidance` name."""


@dataclass(frozen=True)
class ReadNode:
    """A node of a spec with its place, and as it was read; `None` if it cannot be."""

    path: str
    spec: NodeSpec
    node: Node | None
    problems: tuple[Problem, ...] = ()

    @property
    def settings(self) -> Mapping[str, Any]:
        return self.spec.settings

    @property
    def stand_in(self) -> Node:
        """Return the node, or one of its name, so that others can refer to it."""
        if self.node is not None:
            return self.node
        name = self.settings.get("name")
        return Node(name=name if isinstance(name, str) else self.spec.type.rpartition(".")[2])


def read_node(spec: NodeSpec, path: str, kinds: StepClassesByName = NO_KINDS) -> ReadNode:
    """Return a node with what is wrong with its settings alone; `kinds` are those of its team."""
    try:
        cls = find_node_class(spec.type)
    except AgentConfigError as error:
        return ReadNode(path, spec, None, (Problem(f"{path}/type", error.message),))
    if cls is None or not is_usable(cls):
        message = _lack("node type", spec.type, [one.type_name for one in list_usable()])
        return ReadNode(path, spec, None, (Problem(f"{path}/type", message),))
    inside = f"{path}/settings"
    try:
        return ReadNode(path, spec, cls.model_validate(spec.settings, context=in_team(kinds)))
    except ValidationError as error:
        problems = tuple(list_misfits(error, spec.settings, inside))
    except StudioError as error:
        problems = (Problem(place_error(error, spec.settings, inside), error.message),)
    except Exception as error:  # noqa: BLE001 - a plugin's validator, of settings that are anything
        message = f"The settings cannot be read: {type(error).__name__}."
        problems = (Problem(inside, message),)
    return ReadNode(path, spec, None, problems)


def list_misfits(error: ValidationError, value: Any, inside: str) -> Iterator[Problem]:
    """Yield what pydantic refuses in a value; `inside` is the JSON pointer to it."""
    for one in error.errors(include_url=False, include_input=False)[:_MOST_PROBLEMS]:
        names = list(_find_loc(value, one["loc"], is_missing=one["type"] == "missing"))
        yield Problem(point_to(inside, *names), f"{one['msg']}.")


def _find_loc(value: Any, loc: Sequence[str | int], *, is_missing: bool) -> Iterator[str | int]:
    """Yield the names of pydantic's place that are in the value: it has tags of unions, too."""
    for at, name in enumerate(loc):
        if _holds(value, name):
            value = value[name]
        elif not (is_missing and at == len(loc) - 1):
            continue
        yield name


def _holds(value: Any, name: str | int) -> bool:
    if isinstance(name, int):
        return isinstance(value, list | tuple) and name < len(value)
    return isinstance(value, dict) and name in value


def place_error(error: StudioError, value: Any, inside: str) -> str:
    """Return the JSON pointer to what an error names in its details; else `inside`."""
    named = {text for key, text in error.details.items() if key != "node"}
    found = find_text(value, {text for text in named if isinstance(text, str)})
    return inside if found is None else point_to(inside, *found)


def find_text(value: Any, texts: set[str]) -> tuple[str | int, ...] | None:
    """Return the place of the first of some texts in a JSON value."""
    if isinstance(value, str):
        return () if value in texts else None
    items = value.items() if isinstance(value, Mapping) else enumerate(as_list(value))
    for name, item in items:
        found = find_text(item, texts)
        if found is not None:
            return (name, *found)
    return None


def as_list(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list | tuple) else ()


def check_node(
    read: ReadNode, member: Member, at: int, llms: Mapping[str, Any]
) -> Iterator[Problem]:
    """Yield what does not work about a node of its agent, which can use these LLMs."""
    node, inside = read.node, f"{read.path}/settings"
    if node is None:
        return
    if asks_model(type(node)) and node.llm not in llms:
        known = f"the agent has {sorted(llms)}" if llms else "the agent has none; add one"
        yield Problem(f"{inside}/llm", f"There is no LLM {node.llm!r}: {known}.")
    yield from _check_routes(read, node, member, at)
    yield from _check_templates(read, node, member.agent)
    yield from _check_tool_choice(read, node)
    if isinstance(node, SpeakerNode):
        for place, rule in enumerate(node.rules):
            if rule.member and rule.member not in member.places:
                message = _lack("member", rule.member, member.places)
                yield Problem(f"{inside}/rules/{place}/member", message)


def _check_routes(read: ReadNode, node: Node, member: Member, at: int) -> Iterator[Problem]:
    inside = f"{read.path}/settings"
    named = list(list_targets(read.settings))
    for place, target in named:
        if member.find_node(target) is None:
            yield Problem(point_to(inside, *place), _lack("node", target, member.positions))
    known = {target for _, target in named}
    for route in member.routes[at]:
        if route.node != "" and route.node not in known and member.find_node(route.node) is None:
            yield Problem(read.path, _lack("node", route.node, member.positions))
        if route.node == "" and isinstance(node, IfNode | GoToNode | CallNode | CallTogetherNode):
            yield Problem(read.path, "No node follows this one; name the one that runs next.")
        if route.agent and route.agent not in member.places:
            found = find_text(read.settings, {route.agent})
            place_of_call = point_to(inside, *found) if found else read.path
            yield Problem(place_of_call, _lack("subagent", route.agent, member.places))


def _check_templates(read: ReadNode, node: Node, agent: Agent) -> Iterator[Problem]:
    inside = f"{read.path}/settings"
    if isinstance(node, LLMFunctionNode):
        yield from _check_function(read, node, agent)
        return
    is_asked = not isinstance(node, SpeakerNode) or node.choose == "model"
    if type(node).make_prompt not in _READERS or not is_asked:
        return
    for name in ("template", "guidance"):
        wanted = getattr(node, name)
        if (wanted or name == "template") and not isinstance(agent.templates.get(wanted), str):
            yield Problem(f"{inside}/{name}", _lack("template", wanted, list(agent.templates)))


def _check_function(read: ReadNode, node: LLMFunctionNode, agent: Agent) -> Iterator[Problem]:
    inside, wanted = f"{read.path}/settings", node.template_name
    if wanted not in agent.templates:
        message = _lack("template", wanted, list(agent.templates))
        yield Problem(f"{inside}/template_name", message)
        return
    try:
        function = LLMFunctionTemplate.model_validate(agent.templates[wanted])
    except ValidationError:
        message = f"Template {wanted!r} is not a function: it needs desc, inputs and outputs."
        yield Problem(f"{inside}/template_name", message)
        return
    except StudioError as error:
        yield Problem(f"{inside}/template_name", error.message)
        return
    names = [one.name for one in function.inputs]
    if len(names) != len(node.input_refs):
        message = (
            f"The function has the inputs {names}, but the node names {len(node.input_refs)} "
            "steps; name one for each."
        )
        yield Problem(f"{inside}/input_refs", message)


def _check_tool_choice(read: ReadNode, node: Node) -> Iterator[Problem]:
    choice = node.tool_choice
    if not choice or choice in TOOL_MODES or not isinstance(node, TalkNode):
        return
    offered = [str(schema.get("function", {}).get("name")) for schema in node.list_schemas()]
    if choice not in offered:
        names = [*TOOL_MODES, *offered]
        yield Problem(f"{read.path}/settings/tool_choice", _lack("tool", choice, names))


def _lack(what: str, name: object, known: Collection[str]) -> str:
    shown = [one[:60] for one in islice(known, _MOST_NAMED)]
    more = ", …" if len(known) > _MOST_NAMED else ""
    choices = f"choose one of {shown}{more}" if known else "there is none yet"
    return f"There is no {what} {str(name)[:100]!r}; {choices}."
