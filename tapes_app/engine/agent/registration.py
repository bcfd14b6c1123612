"""Registers an agent written in Python under a name that the studio offers."""

from collections.abc import Callable, Mapping, Sequence

from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.spec import AgentSpec, LLMSpec, build_environment, describe_agent
from tapes_app.engine.agent.stand_in import STAND_IN
from tapes_app.engine.environment.environment import Environment
from tapes_app.engine.environment.spec import EnvironmentChoice, environments
from tapes_app.engine.environment.tool_rules import ToolRule
from tapes_app.engine.errors import AgentConfigError
from tapes_app.engine.model.llm import SCRIPT_PREFIX, Script, scripts
from tapes_app.engine.registry import Registry

gallery_agents: Registry[Callable[[], AgentSpec]] = Registry("gallery agent")


def register(
    agent: Agent,
    *,
    description: str = "",
    llms: Mapping[str, str | LLMSpec] | None = None,
    environment: Callable[[], Environment] | EnvironmentChoice = "",
    tool_rules: Sequence[ToolRule] = (),
    script: Script | None = None,
) -> Agent:
    """Offer an agent under its name, and return it.

    `llms` names the models that answer: each a model of the project, or a script. For models that
    it does not name, `script` answers until somebody chooses one; without a script, a stand-in
    answers and identifies itself as one. `environment` makes the environment that answers the
    agent's actions; by default those are its nodes' tools, and the person it talks to. `tool_rules`
    say which calls are allowed, denied, asked about, replaced or emulated.

    Raises:
        AgentConfigError: the name is taken, or the agent cannot be stored as data.
    """
    if any(member.llms for _, member in agent.walk()):
        raise AgentConfigError(
            f"Agent {agent.name!r} contains LLMs, which cannot be stored; give model names "
            "instead: register(agent, llms={'default': 'NAME OF A MODEL'}).",
            agent=agent.name,
        )
    own = environment if callable(environment) else None
    chosen = agent.name if callable(environment) else environment
    preset = LLMSpec(model=SCRIPT_PREFIX + (STAND_IN if script is None else agent.name))
    names = {name for _, member in agent.walk() for name in member.llm_names}
    models: dict[str, str | LLMSpec] = {**dict.fromkeys(names, preset), **(llms or {})}
    spec = describe_agent(
        agent,
        models=models,
        description=description,
        environment=chosen,
        tool_rules=tool_rules,
    )
    if own is None:
        build_environment(spec)  # to report now what is wrong with the tools, or with settings
    gallery_agents.add(agent.name, lambda: spec)
    if script is not None:
        scripts.add(agent.name, script)
    if own is not None:
        environments.add(agent.name, own)
    return agent
