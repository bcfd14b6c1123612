"""How an agent written in Python gets a name that the studio offers."""

from collections.abc import Callable, Mapping

from tapes_app.engine.agent import Agent
from tapes_app.engine.environment import Environment
from tapes_app.engine.errors import AgentConfigError
from tapes_app.engine.registry import SCRIPT_PREFIX, Script, environments, gallery_agents, scripts
from tapes_app.engine.spec import AgentSpec, LLMSpec, describe_agent
from tapes_app.engine.stand_in import STAND_IN
from tapes_app.engine.team_environment import environment_of


def register(
    agent: Agent,
    *,
    description: str = "",
    llms: Mapping[str, str | LLMSpec] | None = None,
    environment: Callable[[], Environment] | None = None,
    script: Script | None = None,
) -> Agent:
    """Offer an agent under its name, and return it.

    `llms` says which model answers under which name: a model of the project, or a script. Where
    it says nothing, `script` answers until somebody chooses a model, or else a stand-in that
    says so. `environment` makes what answers the agent's actions; by default the tools of its
    nodes do, and the person that it talks with.

    Raises:
        AgentConfigError: the name is taken, or the agent cannot be kept as data.
    """
    if any(member.llms for _, member in agent.walk()):
        raise AgentConfigError(
            f"Agent {agent.name!r} contains LLMs, which cannot be stored; give model names "
            "instead: register(agent, llms={'default': 'NAME OF A MODEL'}).",
            agent=agent.name,
        )
    if environment is None:
        environment_of(agent)  # to hear now what is wrong with the tools
    preset = LLMSpec(model=SCRIPT_PREFIX + (STAND_IN if script is None else agent.name))
    names = {name for _, member in agent.walk() for name in member.llm_names}
    models: dict[str, str | LLMSpec] = {**dict.fromkeys(names, preset), **(llms or {})}
    spec = describe_agent(
        agent,
        models=models,
        description=description,
        environment=agent.name if environment is not None else "",
    )

    def build_spec() -> AgentSpec:
        return spec

    gallery_agents.add(agent.name, build_spec)
    if script is not None:
        scripts.add(agent.name, script)
    if environment is not None:
        environments.add(agent.name, environment)
    return agent
