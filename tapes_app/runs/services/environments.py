"""The environments of a project: facts are read once, and each row is made of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.utils import timezone

from tapes_app.agents.services.mcp_servers import (
    McpServerRow,
    McpToolRow,
    list_servers,
    list_tools,
)
from tapes_app.agents.services.shown_servers import may_change_servers
from tapes_app.engine.environment.spec import describe_type, environments
from tapes_app.engine.environment.tool_functions import AnyTool
from tapes_app.engine.errors import InvalidInputError
from tapes_app.environments.mcp.tools import PREFIX
from tapes_app.environments.needs import NEEDS
from tapes_app.projects.domain.columns import fit_line
from tapes_app.projects.services.people import Person
from tapes_app.runs.domain.environment_checks import (
    LONGEST_DESCRIPTION,
    Check,
    describe_missing,
    describe_unregistered,
    judge,
    judge_server,
)
from tapes_app.runs.domain.environment_rows import (
    EnvironmentFailure,
    EnvironmentKind,
    EnvironmentRow,
    Environments,
    EnvironmentTool,
    EnvironmentUser,
    Health,
)
from tapes_app.runs.domain.environment_use import (
    TOOLS,
)
from tapes_app.runs.services.environment_checks import find_newest, find_running, list_checks
from tapes_app.runs.services.environment_users import (
    attribute,
    called,
    count_tapes,
    find_failures,
    find_tools,
    group_users,
    read_used,
)
from tapes_app.runs.store import environment_use

_ORDER: tuple[EnvironmentKind, ...] = ("mcp", "type", "tools")

_OF_TOOLS = "Calls the functions that an agent's nodes name as tools, and asks the person."
_TOOLS_ISOLATION = "The functions run in the worker, with its rights."
_PROGRAM = "A program on this machine, which workers start."
_PROGRAM_ISOLATION = (
    "The program has the rights of the workers; of their variables it gets those that its entry "
    "names, and PATH, HOME and the like."
)
_ADDRESS_ISOLATION = "The arguments of calls leave this machine."


@dataclass(frozen=True, slots=True)
class _Facts:
    """All that rows are made of."""

    servers: Mapping[str, McpServerRow]
    tools: Mapping[str, Sequence[McpToolRow]]
    """The tools of each server, those first that are allowed."""

    offers: Mapping[str, Sequence[AnyTool]]
    """The tools of each registered type."""

    users: Mapping[str, Sequence[EnvironmentUser]]
    named: Mapping[str, frozenset[str]]
    """By environment, the tools that agents name of it."""

    checks: Mapping[str, Check]
    running: Mapping[str, UUID]
    tape_counts: Mapping[str, int]
    failures: Mapping[str, EnvironmentFailure]


def list_environments(person: Person) -> Environments:
    """Return all environments of the studio, with what the person's project tells of them."""
    project = person.project_id
    servers, tools, problem = _read_servers()
    allowed = {name: [row for row in rows if row.used_as] for name, rows in tools.items()}
    offers = {name: tuple(getattr(environments.get(name), "offers", ())) for name in environments}
    used = read_used(project, offers)
    users, named = group_users(used)
    attribution = attribute(offers, allowed, named, used)
    uses = environment_use.list_use(project)
    names = {TOOLS, *offers, *servers, *users}
    checks = list_checks(person, timezone.now())
    facts = _Facts(
        servers=servers,
        tools=tools,
        offers=offers,
        users=users,
        named=named,
        checks=find_newest(checks),
        running={name: job.id for name, job in find_running(checks).items()},
        tape_counts=count_tapes(uses, attribution),
        failures=find_failures(project, attribution, names),
    )
    # Nothing is known of a server while the file of servers cannot be read.
    shown = {name for name in names if not (problem and name.startswith(PREFIX))}
    rows = [_make_row(name, facts) for name in shown]
    rows.sort(key=lambda row: (_ORDER.index(row.kind), not row.agents, row.name))
    return Environments(tuple(rows), len(uses), problem, may_change_servers(person))


def _read_servers() -> tuple[dict[str, McpServerRow], dict[str, list[McpToolRow]], str]:
    """Return the servers and their tools, or why they cannot be read."""
    try:
        servers = {PREFIX + row.name: row for row in list_servers()}
        return servers, {name: list_tools(row.name) for name, row in servers.items()}, ""
    except InvalidInputError as error:
        return {}, {}, error.message


def _make_row(name: str, facts: _Facts) -> EnvironmentRow:
    if name.startswith(PREFIX):
        return _make_server_row(name, facts)
    if name == TOOLS:
        of_tools = tuple(map(_describe_tool, find_tools(facts.named.get(name, frozenset()))))
        health = judge(None, None, can_be_checked=False)
        return _finish(name, "tools", _OF_TOOLS, _TOOLS_ISOLATION, health, of_tools, facts)
    if name not in facts.offers:
        return _finish(name, "type", "", "", describe_unregistered(name), (), facts)
    need = NEEDS.get(name)
    return _finish(
        name,
        "type",
        describe_type(name),
        getattr(environments.get(name), "isolation", ""),
        judge(
            need.look() if need else None, facts.checks.get(name), can_be_checked=need is not None
        ),
        tuple(map(_describe_tool, facts.offers[name] or find_tools(facts.named.get(name, ())))),
        facts,
        can_be_checked=need is not None,
    )


def _make_server_row(name: str, facts: _Facts) -> EnvironmentRow:
    server = facts.servers.get(name)
    if server is None:
        missing = describe_missing(name.removeprefix(PREFIX))
        return _finish(name, "mcp", "", "", missing, (), facts)
    check = facts.checks.get(name)
    of_tools = tuple(map(_describe_server_tool, facts.tools[name]))
    usable = {row.used_as for row in facts.tools[name] if row.used_as}
    health = judge_server(
        judge(None, check, can_be_checked=True),
        name=server.name,
        allowed_count=len(usable),
        changed=sum(bool(tool.changes) for tool in of_tools),
        missing=len(facts.named.get(name, frozenset()) - usable),
    )
    where = f"A server at {server.host}." if server.host else _PROGRAM
    isolation = _ADDRESS_ISOLATION if server.host else _PROGRAM_ISOLATION
    return _finish(name, "mcp", where, isolation, health, of_tools, facts, can_be_checked=True)


def _finish(
    name: str,
    kind: EnvironmentKind,
    description: str,
    isolation: str,
    health: Health,
    of_tools: tuple[EnvironmentTool, ...],
    facts: _Facts,
    *,
    can_be_checked: bool = False,
) -> EnvironmentRow:
    return EnvironmentRow(
        name=name,
        kind=kind,
        description=description,
        isolation=isolation,
        health=health,
        can_be_checked=can_be_checked,
        check_id=facts.running.get(name),
        agents=tuple(facts.users.get(name, ())),
        tools=of_tools,
        tape_count=facts.tape_counts.get(name, 0),
        last_failure=facts.failures.get(name),
    )


def _describe_server_tool(row: McpToolRow) -> EnvironmentTool:
    return EnvironmentTool(
        called(row) if row.used_as else row.name,
        _shorten(row.description),
        row.is_irreversible,
        is_allowed=row.used_as is not None,
        changes=row.changes,
    )


def _describe_tool(tool: AnyTool) -> EnvironmentTool:
    return EnvironmentTool(tool.name, _shorten(tool.description), tool.is_irreversible)


def _shorten(description: str) -> str:
    return fit_line(description, LONGEST_DESCRIPTION)
