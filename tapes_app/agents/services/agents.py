"""Agents: their versions as data, and live agents with their environments, ready to run."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction
from pydantic import ValidationError

from tapes_app.agents.domain.llm_parameters import check_parameters
from tapes_app.agents.domain.rows import (
    AgentRow,
    AgentVersion,
    AgentVersionRow,
    ModelRow,
    Publication,
)
from tapes_app.agents.services.llm_configs import build_stored_llm
from tapes_app.agents.store import agents, llm_models
from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.registration import gallery_agents
from tapes_app.engine.agent.spec import AgentSpec, LLMSpec, build_agent, build_environment
from tapes_app.engine.environment.environment import Environment
from tapes_app.engine.environment.tool_functions import FindStandIn, tools
from tapes_app.engine.environment.tool_rules import ToolRule
from tapes_app.engine.errors import AgentConfigError, ConflictError, StudioError
from tapes_app.engine.model.llm import LLM, SCRIPT_PREFIX
from tapes_app.environments.emulated import EMULATOR
from tapes_app.gallery.continuation.agent import NAME as CONTINUATION
from tapes_app.llms.factory import build_llm
from tapes_app.llms.model_config import ModelConfig
from tapes_app.llms.scripted import ScriptedLLM
from tapes_app.projects.domain.columns import fit_text
from tapes_app.projects.domain.rows import row_of
from tapes_app.projects.services.people import Person
from tapes_app.projects.store.projects import lock_project
from tapes_app.tapes.store.offered_tools import stand_ins_of

MAX_NAME_LENGTH = 200


class LiveAgent(NamedTuple):
    agent: Agent
    environment: Environment
    tool_rules: tuple[ToolRule, ...] = ()


@dataclass(frozen=True)
class ToolRow:
    """A tool that an agent's environment offers."""

    name: str
    description: str
    parameters: dict[str, Any]
    is_irreversible: bool = False


@dataclass(frozen=True)
class AgentDetail(AgentRow):
    """An agent with its versions, newest first."""

    versions: tuple[AgentVersion, ...]
    tools: tuple[ToolRow, ...]
    """The tools that the latest version's environment offers."""

    publications: tuple[Publication, ...]
    """The newest twenty, newest first."""


def open_agent(person: Person, agent_id: UUID) -> AgentDetail:
    row = agents.load_agent(agent_id, person.project_id)
    versions = tuple(agents.list_versions(agent_id, person.project_id))
    return row_of(
        AgentDetail,
        row,
        versions=versions,
        tools=list_tools(versions[0].spec),
        publications=tuple(agents.list_publications(agent_id, person.project_id)),
    )


def add_agent(person: Person, spec: AgentSpec) -> AgentDetail:
    """Store an agent with its first version.

    Raises:
        AgentConfigError: it cannot be built.
        ConflictError: the project already has an agent of that name.
    """
    check_spec(person.project_id, spec)
    row = agents.create_agent(person.project_id, spec, owner=person.user_id)
    return open_agent(person, row.agent_id)


def add_version(person: Person, agent_id: UUID, spec: AgentSpec) -> AgentVersionRow:
    """Store the next version of an agent; a version that already exists is returned.

    Raises:
        AgentConfigError: it cannot be built, or has another name.
    """
    row = agents.load_agent(agent_id, person.project_id)
    if spec.name != row.name:
        raise AgentConfigError(
            f"This is agent {row.name!r}; its new version cannot be named {spec.name!r}.",
            name=spec.name,
        )
    check_spec(person.project_id, spec)
    return agents.add_version(agent_id, person.project_id, spec, owner=person.user_id)


@transaction.atomic
def ensure_continuation(project: UUID, *, owner: int | None = None) -> None:
    """Add the agent that continues any tape to a project, unless it has or had one of that name."""
    if agents.find_agent(CONTINUATION, project) is not None:
        return
    lock_project(project)
    if agents.find_agent(CONTINUATION, project) is None:
        with suppress(ConflictError):  # somebody has deleted it
            agents.create_agent(project, gallery_agents.get(CONTINUATION)(), owner=owner)


def check_spec(project_id: UUID, spec: AgentSpec) -> None:
    """Check that the agent of a spec can be built.

    Its models must exist, but may still lack keys: the person who runs it sets them.

    Raises:
        AgentConfigError: the agent cannot be built; the message explains why.
    """
    for text, length in ((spec.name, MAX_NAME_LENGTH), (spec.description, len(spec.description))):
        if fit_text(text, length) != text:
            raise AgentConfigError(
                f"An agent's name has at most {MAX_NAME_LENGTH} characters, and neither it nor "
                "the description may contain NUL or an unpaired surrogate."
            )
    known = _models_by_name(project_id)
    build_agent(spec, lambda wanted: _check_llm(wanted, known))
    build_environment(spec)


def build_live_agent(
    project_id: UUID,
    version_id: UUID,
    *,
    model_id: UUID | None = None,
    parameters: Mapping[str, Any] | None = None,
    find_stand_in: FindStandIn | None = None,
) -> LiveAgent:
    """Return the agent of a version with its environment, ready to run.

    `model_id` replaces every LLM of the team with that model, except the one that emulates tools;
    `parameters` override those of all of them, and what its nodes chose. `find_stand_in` looks for
    tools that are not here any more.

    Raises:
        NotFoundError: there is no such version or model in the project.
        ModelKeyMissingError: a model has no key; the message says which variable to set.
        AgentConfigError: a model, script, node or environment is unknown here.
    """
    spec = agents.load_version(version_id, project_id).spec
    override = llm_models.load_model(model_id, project_id) if model_id is not None else None
    known = _models_by_name(project_id)

    def resolve_own(wanted: LLMSpec) -> LLM:
        if wanted.model.startswith(SCRIPT_PREFIX):
            return _build_scripted(wanted)
        return build_stored_llm(project_id, _find_model(wanted, known), wanted.parameters)

    def resolve(wanted: LLMSpec) -> LLM:
        chosen = {**wanted.parameters, **(parameters or {})}
        if override is not None:
            return build_stored_llm(project_id, override, chosen)
        return resolve_own(wanted.model_copy(update={"parameters": chosen}))

    agent = build_agent(spec, resolve, find_stand_in=find_stand_in)
    agent = _without_choices(agent, parameters or {})
    emulator = spec.llms.get(EMULATOR)
    if emulator is not None:  # what an agent acts in stays the same whichever model it has
        llms = {**agent.llms, EMULATOR: resolve_own(emulator)}
        agent = agent.model_copy(update={"llms": llms})
    environment = build_environment(spec, find_stand_in=find_stand_in)
    return LiveAgent(agent, environment, spec.tool_rules)


def _without_choices(agent: Agent, taken: Mapping[str, Any]) -> Agent:
    """Return a team whose nodes leave some parameters to the person who requested the run."""
    if not taken:
        return agent
    nodes = tuple(
        node.model_copy(update={"sampling": node.sampling.without(taken)}) for node in agent.nodes
    )
    members = tuple(_without_choices(member, taken) for member in agent.subagents)
    return agent.model_copy(update={"nodes": nodes, "subagents": members})


def build_replay_agent(project_id: UUID, version_id: UUID, tape_id: UUID) -> Agent:
    """Return the agent of a version for work on a tape's recorded answers: no model can be called.

    So it needs no keys, no models, and none of the tools that the tape's calls were offered.

    Raises:
        NotFoundError: there is no such version or tape in the project.
        AgentConfigError: a node is unknown here, or a tool that the tape does not describe.
    """
    spec = agents.load_version(version_id, project_id).spec
    return build_unasked_agent(spec, find_stand_in=stand_ins_of(tape_id, project_id))


def build_unasked_agent(spec: AgentSpec, *, find_stand_in: FindStandIn | None = None) -> Agent:
    """Return the agent of a spec for inspection: no model can be called.

    Raises:
        AgentConfigError: a node is unknown here.
    """
    return build_agent(spec, lambda _: _unasked(), find_stand_in=find_stand_in)


def build_prompting_agent(project_id: UUID, spec: AgentSpec) -> Agent:
    """Return the agent of a spec to make its prompts, which may depend on what its models can read.

    A model that is unknown here, or has no key, counts as one of unknown size.

    Raises:
        AgentConfigError: the agent cannot be built.
    """
    known = _models_by_name(project_id)

    def resolve(wanted: LLMSpec) -> LLM:
        with suppress(StudioError, ValidationError):
            if not wanted.model.startswith(SCRIPT_PREFIX):
                return build_stored_llm(project_id, _find_model(wanted, known), wanted.parameters)
        return _unasked()

    return build_agent(spec, resolve)


def list_tools(spec: AgentSpec) -> tuple[ToolRow, ...]:
    try:
        environment = build_environment(spec)
        schemas, grave = environment.tool_schemas(), environment.irreversible_tools()
    except StudioError:  # its plugin is missing; the agent is still worth inspecting
        return ()
    tools = map(describe_tool, schemas)
    by_name = {tool.name: tool for tool in tools}  # two of its environments may answer one tool
    return tuple(replace(tool, is_irreversible=name in grave) for name, tool in by_name.items())


def list_registered_tools() -> list[ToolRow]:
    """Return the tools that a node can offer, by the names that specs give them."""
    rows = []
    for name in tools:
        with suppress(StudioError):  # its signature cannot be read; using it says why
            row = describe_tool(tools.get(name).schema())
            is_irreversible = tools.get(name).is_irreversible
            rows.append(replace(row, name=name, is_irreversible=is_irreversible))
    return rows


def describe_tool(schema: dict[str, Any]) -> ToolRow:
    """Return a tool from its schema; the environment knows whether it is irreversible."""
    function = schema.get("function")
    function = function if isinstance(function, dict) else {}
    return ToolRow(
        str(function.get("name", "")),
        str(function.get("description", "")),
        function.get("parameters") or {},
    )


def _build_scripted(wanted: LLMSpec) -> LLM:
    check_parameters(wanted.parameters)
    return build_llm(ModelConfig(litellm_model=wanted.model, parameters=wanted.parameters))


def _models_by_name(project_id: UUID) -> dict[str, ModelRow]:
    return {row.name: row for row in llm_models.list_models(project_id)}


def _check_llm(wanted: LLMSpec, known: dict[str, ModelRow]) -> LLM:
    check_parameters(wanted.parameters)
    if not wanted.model.startswith(SCRIPT_PREFIX):
        _find_model(wanted, known)
        return _unasked()
    return _build_scripted(wanted)


def _find_model(wanted: LLMSpec, known: dict[str, ModelRow]) -> ModelRow:
    row = known.get(wanted.model)
    if row is None:
        raise AgentConfigError(
            f"There is no LLM model named {wanted.model!r} in this project; available: "
            f"{sorted(known)}. Add it under Models, or choose another.",
            model=wanted.model,
        )
    return row


def _unasked() -> LLM:
    """Return a placeholder for a model that is never called."""
    return ScriptedLLM(lambda _: "", name="unasked")
