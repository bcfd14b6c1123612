"""Who uses which environment in a project, and what tapes and runs tell of each."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from uuid import UUID

from tapes_app.agents.services.mcp_servers import McpToolRow
from tapes_app.agents.store import agents
from tapes_app.engine.environment.tool_functions import AnyTool, tools
from tapes_app.engine.errors import StudioError
from tapes_app.environments.mcp.tools import PREFIX
from tapes_app.jobs.domain.protocol import JobState
from tapes_app.jobs.domain.run_result import RUN_KIND
from tapes_app.jobs.store.job import list_jobs
from tapes_app.runs.domain.environment_rows import EnvironmentFailure, EnvironmentUser
from tapes_app.runs.domain.environment_use import (
    Attribution,
    ToolOwners,
    is_of_environment,
    name_environment,
    name_tool,
)
from tapes_app.runs.store import environment_use

_MOST_FAILED_RUNS = 200
_FAILED: tuple[JobState, ...] = ("failed",)


@dataclass(frozen=True, slots=True)
class AgentUse:
    """What one version of an agent uses."""

    agent_id: UUID
    name: str
    number: int
    used: Mapping[str, frozenset[str]]


def read_used(project: UUID, offers: Mapping[str, Sequence[AnyTool]]) -> list[AgentUse]:
    """Return what the newest and the published version of each agent use."""
    owners = ToolOwners(
        offers={name: frozenset(tool.type_name for tool in own) for name, own in offers.items()},
        sources={
            tool.type_name: name
            for name, own in offers.items()
            for tool in own
            if tool.source is not None
        },
    )
    rows = agents.list_agents(project)
    wanted = {one for row in rows for one in (row.latest_version_id, row.default_version_id)}
    versions = sorted(
        agents.load_versions(list(wanted), project), key=lambda one: (one.agent_name, -one.number)
    )
    return [
        AgentUse(one.agent_id, one.agent_name, one.number, owners.list_used(one.spec))
        for one in versions
    ]


def group_users(
    used: Iterable[AgentUse],
) -> tuple[dict[str, list[EnvironmentUser]], dict[str, frozenset[str]]]:
    """Return the agents and the named tools of each environment."""
    numbers: dict[str, dict[tuple[UUID, str], list[int]]] = defaultdict(lambda: defaultdict(list))
    named: dict[str, set[str]] = defaultdict(set)
    for one in used:
        for name, of_tools in one.used.items():
            numbers[name][one.agent_id, one.name].append(one.number)
            named[name] |= of_tools
    users = {
        name: [EnvironmentUser(*agent, tuple(found)) for agent, found in by_agent.items()]
        for name, by_agent in numbers.items()
    }
    return users, {name: frozenset(of_tools) for name, of_tools in named.items()}


def attribute(
    offers: Mapping[str, Sequence[AnyTool]],
    allowed: Mapping[str, Sequence[McpToolRow]],
    named: Mapping[str, frozenset[str]],
    used: Iterable[AgentUse],
) -> Attribution:
    """Return what tells of which environment an observation is."""
    by_tool: dict[str, set[str]] = defaultdict(set)
    for name, own in offers.items():
        for tool in own:
            by_tool[tool.name].add(name)
    for server, rows in allowed.items():
        for row in rows:
            by_tool[called(row)].add(server)
    for name, of_tools in named.items():
        for tool in find_tools(of_tools):
            by_tool[tool.name].add(name)
        for gone in of_tools:  # of a server that is no longer there, too
            if gone.startswith(PREFIX):
                by_tool[gone.rpartition(".")[2]].add(name)
    by_agent: dict[UUID, set[str]] = defaultdict(set)
    for one in used:
        by_agent[one.agent_id] |= one.used.keys()
    return Attribution(
        by_tool={tool: frozenset(names) for tool, names in by_tool.items()},
        by_agent={agent: frozenset(names) for agent, names in by_agent.items()},
        toolless=frozenset(name for name, own in offers.items() if not own),
    )


def count_tapes(uses: Iterable[environment_use.TapeUse], attribution: Attribution) -> Counter[str]:
    """Return on how many of the newest tapes each environment was used."""
    counts: Counter[str] = Counter()
    for use in uses:
        counts.update(
            {name for tool in ("", *use.tools) for name in attribution.of_tool(tool, use.agent_id)}
        )
    return counts


def find_failures(
    project: UUID, attribution: Attribution, names: Iterable[str]
) -> dict[str, EnvironmentFailure]:
    """Return the last failure of each environment."""
    left = set(names)
    found: dict[str, EnvironmentFailure] = {}
    for error in environment_use.iterate_errors(project):
        if not is_of_environment(error.observation):
            continue
        tool = name_tool(error.observation, error.action)
        for name in attribution.of_tool(tool, error.agent_id) & left:
            left.discard(name)
            found[name] = EnvironmentFailure(
                error.message, tool, error.at, error.tape_id, error.position
            )
        if not left:
            break
    for name, failure in _iterate_failed_runs(project):
        if name not in found or failure.at > found[name].at:
            found[name] = failure
    return found


def _iterate_failed_runs(project: UUID) -> Iterator[tuple[str, EnvironmentFailure]]:
    """Yield the newest runs that an environment made fail."""
    failed = list_jobs(project, states=_FAILED, kinds=(RUN_KIND,), limit=_MOST_FAILED_RUNS)
    blamed = [
        (name, job)
        for job in failed
        if (name := name_environment(job.error_code, job.message)) is not None
    ]
    live = environment_use.list_live(project, [job.tape_id for _, job in blamed if job.tape_id])
    for name, job in blamed:
        if job.tape_id is None or job.finished_at is None:
            continue
        if job.tape_id in live:
            failure = EnvironmentFailure(job.message, "", job.finished_at, job.tape_id, None)
            yield name, failure


def called(row: McpToolRow) -> str:
    """Return what models call an allowed tool."""
    return (row.used_as or "").rpartition(".")[2]


def find_tools(names: Iterable[str]) -> Iterator[AnyTool]:
    for name in sorted(names):
        with suppress(StudioError):  # it is gone, which the pages of its agents say
            yield tools.get(name)
