"""Agents as data: a spec is stored, versioned, shown and edited; a live agent is built of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tapes_app.engine.agent import MAX_ITERATIONS, Agent
from tapes_app.engine.errors import AgentConfigError
from tapes_app.engine.llm import LLM
from tapes_app.engine.messages import digest_json
from tapes_app.engine.nodes import NODE_CLASSES, Node
from tapes_app.engine.steps import first_reason


class NodeSpec(BaseModel):
    """One node: the name of a registered class and its settings."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    type: str
    """Registered node type (`Node.type_name`)."""

    settings: dict[str, Any] = Field(default_factory=dict)
    """Fields of the node class, `name` and `llm` among them."""


class LLMSpec(BaseModel):
    """Which model answers: the name of a model of the project, or `script:NAME`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str
    parameters: dict[str, Any] = Field(default_factory=dict)


class AgentSpec(BaseModel):
    """One agent with its subagents, as JSON."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    name: str
    description: str = ""
    llms: dict[str, LLMSpec] = Field(default_factory=dict)
    templates: dict[str, Any] = Field(default_factory=dict)
    nodes: tuple[NodeSpec, ...] = ()
    subagents: tuple[AgentSpec, ...] = ()
    environment: str = ""
    """Registered environment that answers the team's actions; only the root's counts."""

    max_iterations: int = Field(default=MAX_ITERATIONS, gt=0)

    @property
    def digest(self) -> str:
        return digest_json(self.model_dump(mode="json")).hex()


LLMResolver = Callable[[LLMSpec], LLM]


def build_agent(spec: AgentSpec, resolve_llm: LLMResolver) -> Agent:
    """Build the live agent of a spec.

    Raises:
        AgentConfigError: an unknown node type, settings that do not fit, a structure that
            cannot work, or whatever `resolve_llm` refuses.
    """
    return Agent.create(
        spec.name,
        llms={name: resolve_llm(llm) for name, llm in spec.llms.items()},
        templates=dict(spec.templates),
        nodes=[build_node(node) for node in spec.nodes],
        subagents=[build_agent(member, resolve_llm) for member in spec.subagents],
        max_iterations=spec.max_iterations,
    )


def build_node(spec: NodeSpec) -> Node:
    cls = NODE_CLASSES.get(spec.type)
    if cls is None:
        raise AgentConfigError(
            f"There is no node type {spec.type!r}; known are {sorted(NODE_CLASSES)}.",
            type=spec.type,
        )
    try:
        return cls.model_validate(spec.settings)
    except ValidationError as error:
        raise AgentConfigError(
            f"Settings of node type {spec.type!r} do not fit: {first_reason(error)}."
        ) from error


def describe_agent(agent: Agent, *, models: dict[str, str], environment: str = "") -> AgentSpec:
    """Return the spec of an agent built in Python; `models` maps its LLM names to models."""
    return AgentSpec(
        name=agent.name,
        llms={name: LLMSpec(model=models[name]) for name in agent.llms},
        templates=agent.templates,
        nodes=tuple(
            NodeSpec(type=node.type_name, settings=node.model_dump(mode="json"))
            for node in agent.nodes
        ),
        subagents=tuple(describe_agent(member, models=models) for member in agent.subagents),
        environment=environment,
        max_iterations=agent.max_iterations,
    )
