"""Agents whose tools are not here any more: a run may go on if something answers in their place."""

from collections.abc import Iterator, Sequence
from uuid import UUID

from tapes_app.agents.services.agents import LiveAgent, build_live_agent
from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.environment.described_tools import GoneTool
from tapes_app.engine.environment.tool_functions import tools
from tapes_app.engine.environment.tool_rules import ToolRule, fits_name
from tapes_app.engine.errors import AgentConfigError
from tapes_app.runs.domain.request import RunRequest, ToolPolicies
from tapes_app.tapes.store.offered_tools import stand_ins_of


def build_for_tape(project_id: UUID, tape_id: UUID, request: RunRequest) -> LiveAgent:
    """Return the agent of a run that goes on from a tape.

    Raises:
        NotFoundError: there is no such version, model or tape in the project.
        ModelKeyMissingError: a model has no key; the message says which variable to set.
        AgentConfigError: a model, script, node or environment is unknown here, or a tool that this
            run would call.
    """
    live = build_live_agent(
        project_id,
        request.agent_version_id,
        model_id=request.model_id,
        parameters=request.parameters,
        find_stand_in=stand_ins_of(tape_id, project_id),
    )
    for _, reason in list_lacking(live, request.tools):
        raise AgentConfigError(reason)
    return live


def list_lacking(live: LiveAgent, chosen: ToolPolicies) -> Iterator[tuple[str, str]]:
    """Yield the tools that a run would call though they are gone, each with what to do about it."""
    for tool in _list_gone(live.agent):
        if _would_call(tool.name, chosen, live.tool_rules):
            yield tool.name, _explain(tool)


def _list_gone(agent: Agent) -> Iterator[GoneTool]:
    offered = (
        tool for _, member in agent.walk() for node in member.nodes for tool in node.list_tools()
    )
    for tool in dict.fromkeys(offered):
        if isinstance(tool, GoneTool):
            yield tool


def _would_call(name: str, chosen: ToolPolicies, rules: Sequence[ToolRule]) -> bool:
    if name in chosen.by_tool or chosen.default != "live":
        return chosen.by_tool.get(name, chosen.default) == "live"
    # A rule may be about some calls only: the agent reads in the others that the tool is gone.
    return not any(rule.action != "allow" and fits_name(rule.tool, name) for rule in rules)


def _explain(tool: GoneTool) -> str:
    try:
        tools.get(tool.type_name)
    except AgentConfigError as error:
        return f"{error.message} Or let the run emulate it."
    return f"The tool {tool.name!r} was missing a moment ago; try again."
