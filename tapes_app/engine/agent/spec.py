"""Agents as data: a spec is stored, versioned, shown and edited; a live agent is built from it.

So is the environment that a team's nodes imply: their tools, and the person.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from pydantic import BaseModel, Field, ValidationError

from tapes_app.engine.agent.agent import AGENT_CLASSES, MAX_ITERATIONS, Agent
from tapes_app.engine.agent.nodes import NODE_CLASSES, Node, find_node_class
from tapes_app.engine.environment.environment import Environment, EnvironmentGroup, NoEnvironment
from tapes_app.engine.environment.human import HumanEnvironment
from tapes_app.engine.environment.spec import (
    EnvironmentChoice,
    EnvironmentSpec,
    build_registered,
    list_chosen,
)
from tapes_app.engine.environment.tool_environment import ToolEnvironment
from tapes_app.engine.environment.tool_functions import (
    AnyTool,
    FindStandIn,
    ToolSource,
    with_stand_ins,
)
from tapes_app.engine.environment.tool_rules import MOST_RULES, ToolRule, check_rule
from tapes_app.engine.errors import AgentConfigError, InvalidInputError
from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.engine.model.llm import LLM
from tapes_app.engine.model.messages import digest_json
from tapes_app.engine.plain_json import dump_json_data
from tapes_app.engine.tape.defined_kinds import DefinedKind
from tapes_app.engine.tape.defined_steps import build_step_classes, in_team
from tapes_app.engine.tape.steps import first_reason


class NodeSpec(FrozenModel):
    """One node: the name of a registered class and its settings."""

    type: str
    """Registered node type (`Node.type_name`)."""

    settings: dict[str, Any] = Field(default_factory=dict)
    """Fields of the node class, `name` and `llm` among them."""


class LLMSpec(FrozenModel):
    """Which model answers: the name of a model of the project, or `script:NAME`."""

    model: str
    parameters: dict[str, Any] = Field(default_factory=dict)


class AgentSpec(FrozenModel):
    """One agent with its subagents, as JSON."""

    name: str
    type: str = Field(default_factory=str, exclude_if=lambda name: not name)
    """Registered class of an agent with custom routing (`Agent.type_name`)."""

    description: str = ""
    llms: dict[str, LLMSpec] = Field(default_factory=dict)
    templates: dict[str, Any] = Field(default_factory=dict)
    nodes: tuple[NodeSpec, ...] = ()
    subagents: tuple["AgentSpec", ...] = ()
    environment: EnvironmentChoice = ""
    """Registered environment that answers the team's actions, by its name or with its settings, or
    several in order; only the root's counts. An empty name stands for the tools of the team's
    nodes, and the person they talk to."""

    tool_rules: tuple[ToolRule, ...] = Field(
        default_factory=tuple, max_length=MOST_RULES, exclude_if=lambda rules: not rules
    )
    """What becomes of the team's calls: the first rule that matches decides; only the root's
    count."""

    kinds: tuple[DefinedKind, ...] = Field(
        default_factory=tuple, exclude_if=lambda kinds: not kinds
    )
    """Kinds of steps that the team defines by their fields; its nodes name them like those that
    ship. Only the root's count."""

    max_iterations: int = Field(default=MAX_ITERATIONS, gt=0)

    @property
    def digest(self) -> str:
        return digest_json(self.model_dump(mode="json")).hex()


LLMResolver = Callable[[LLMSpec], LLM]


def build_agent(
    spec: AgentSpec, resolve_llm: LLMResolver, *, find_stand_in: FindStandIn | None = None
) -> Agent:
    """Build the live agent of a spec; `find_stand_in` looks for tools that are not here.

    Raises:
        AgentConfigError: an unknown node type, settings that do not fit, a structure that cannot
            work, a mistake in the kinds that it defines, or whatever `resolve_llm` refuses.
    """
    return _build_agent(spec, resolve_llm, _read_context(spec, find_stand_in))


def _read_context(spec: AgentSpec, find_stand_in: FindStandIn | None) -> dict[str, Any]:
    """Return the context in which the settings of a team's nodes are read."""
    return {**in_team(build_step_classes(spec.kinds)), **with_stand_ins(find_stand_in)}


def _build_agent(spec: AgentSpec, resolve_llm: LLMResolver, context: dict[str, Any]) -> Agent:
    cls = AGENT_CLASSES.get(spec.type) if spec.type else Agent
    if cls is None:
        raise AgentConfigError(
            f"There is no agent type {spec.type!r}; available: {sorted(AGENT_CLASSES)}.",
            type=spec.type,
        )
    return cls.create(
        spec.name,
        description=spec.description,
        llms={name: resolve_llm(llm) for name, llm in spec.llms.items()},
        templates=dict(spec.templates),
        nodes=[build_node(node, context) for node in spec.nodes],
        subagents=[_build_agent(member, resolve_llm, context) for member in spec.subagents],
        max_iterations=spec.max_iterations,
    )


def build_node(spec: NodeSpec, context: dict[str, Any] | None = None) -> Node:
    """Build a node; the context has what its settings may name besides what is registered."""
    cls = find_node_class(spec.type)
    if cls is None:
        raise AgentConfigError(
            f"There is no node type {spec.type!r}; available: {sorted(NODE_CLASSES)}.",
            type=spec.type,
        )
    try:
        return cls.model_validate(spec.settings, context=context)
    except ValidationError as error:
        raise AgentConfigError(
            f"The settings of node type {spec.type!r} are invalid: {first_reason(error)}."
        ) from error


def build_environment(spec: AgentSpec, *, find_stand_in: FindStandIn | None = None) -> Environment:
    """Return the environment that answers the actions of a team, without its tool rules.

    Raises:
        AgentConfigError: an environment, node or tool is unknown here, the settings of an
            environment do not fit it, a tool rule cannot decide anything, or a kind that the team
            defines has a mistake.
    """
    for number, rule in enumerate(spec.tool_rules, start=1):
        try:
            check_rule(rule)
        except InvalidInputError as error:
            raise AgentConfigError(f"Tool rule {number}: {error.message}") from error
    context = _read_context(spec, find_stand_in)
    members = [_build_member(spec, chosen, context) for chosen in list_chosen(spec.environment)]
    return members[0] if len(members) == 1 else EnvironmentGroup(*members)


def _build_member(
    spec: AgentSpec, chosen: str | EnvironmentSpec, context: dict[str, Any]
) -> Environment:
    if chosen == "":
        return make_environment(build_node(node, context) for node in walk_nodes(spec))
    return build_registered(EnvironmentSpec(type=chosen) if isinstance(chosen, str) else chosen)


def environment_of(agent: Agent) -> Environment:
    """Return the environment of an entire team: its tools, and the person who reads what it writes.

    Raises:
        AgentConfigError: two tools share a name, or a signature cannot be read.
    """
    return make_environment(node for _, member in agent.walk() for node in member.nodes)


def make_environment(nodes: Iterable[Node]) -> Environment:
    """Return the environment of the given nodes; it is empty if they neither talk nor offer tools.

    Raises:
        AgentConfigError: two tools share a name, or a signature cannot be read.
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
    return EnvironmentGroup(*_build_answerers(tools.values()), HumanEnvironment())


def _build_answerers(offered: Iterable[AnyTool]) -> Iterator[Environment]:
    """Yield an environment for each source of tools; the last answers calls of unknown tools."""
    by_source: dict[ToolSource | None, list[AnyTool]] = {}
    known = tuple(offered)
    for tool in known:
        by_source.setdefault(tool.source, []).append(tool)
    functions = by_source.pop(None, [])
    for source, of_source in by_source.items():
        if source is not None:
            yield source.build_environment(of_source)
    yield ToolEnvironment(functions, known=[tool.name for tool in known])


def walk_nodes(spec: AgentSpec) -> Iterator[NodeSpec]:
    """Yield the nodes of a team."""
    yield from spec.nodes
    for member in spec.subagents:
        yield from walk_nodes(member)


def describe_agent(
    agent: Agent,
    *,
    models: Mapping[str, str | LLMSpec],
    description: str = "",
    environment: EnvironmentChoice = "",
    tool_rules: Sequence[ToolRule] = (),
) -> AgentSpec:
    """Return the spec of an agent built in Python; `models` maps its LLM names to models.

    Raises:
        AgentConfigError: an LLM has no model, or two kinds that its nodes define share a name.
    """
    return AgentSpec(
        name=agent.name,
        type=agent.type_name,
        description=description or agent.description,
        llms={name: _describe_llm(agent, name, models) for name in agent.llm_names},
        templates={name: _describe_template(text) for name, text in agent.templates.items()},
        nodes=tuple(map(describe_node, agent.nodes)),
        subagents=tuple(
            describe_agent(member, models=models).model_copy(update={"kinds": ()})
            for member in agent.subagents
        ),
        environment=environment,
        tool_rules=tuple(tool_rules),
        kinds=agent.list_defined_kinds(),
        max_iterations=agent.max_iterations,
    )


def _describe_template(template: Any) -> Any:
    return dump_json_data(template) if isinstance(template, BaseModel) else template


def _describe_llm(agent: Agent, name: str, models: Mapping[str, str | LLMSpec]) -> LLMSpec:
    model = models.get(name)
    if model is None:
        raise AgentConfigError(
            f"Agent {agent.name!r} uses LLM {name!r}, but no model is assigned to it; assigned: "
            f"{sorted(models)}.",
            llm=name,
        )
    return model if isinstance(model, LLMSpec) else LLMSpec(model=model)


def describe_node(node: Node) -> NodeSpec:
    """Return a node with its chosen settings: a field added to it later makes no new version."""
    settings = {"name": node.name, **node.model_dump(mode="json", exclude_defaults=True)}
    return NodeSpec(type=node.type_name, settings=settings)
