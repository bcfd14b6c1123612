"""Environments as a page shows them: what each is, how it is, who uses it, what went wrong."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

EnvironmentKind = Literal["mcp", "type", "tools"]
"""An MCP server; a registered type that agents name; the tools of nodes, and the person."""

HealthState = Literal["ok", "unchecked", "warning", "failing"]


@dataclass(frozen=True, slots=True)
class Health:
    """How an environment is, as far as it is known without starting it."""

    state: HealthState
    message: str
    """One or two sentences; they say what to do unless all is well."""

    checked_at: datetime | None = None
    """When it was last checked; `None`: not in the last week, or there is nothing to check."""


@dataclass(frozen=True, slots=True)
class EnvironmentUser:
    """An agent that uses an environment."""

    agent_id: UUID
    name: str
    versions: tuple[int, ...]
    """Those of its newest and its published version that use it."""


@dataclass(frozen=True, slots=True)
class EnvironmentTool:
    """A tool of an environment."""

    name: str
    """What models call it, or what its server does if it is not allowed."""

    description: str
    is_irreversible: bool
    """Whether its effects cannot be undone, so that a run asks before each call."""

    is_allowed: bool = True
    """Whether agents may use it; only tools of MCP servers may be not allowed."""

    changes: tuple[str, ...] = ()
    """How its server had changed it since it was allowed, when it was last asked."""


@dataclass(frozen=True, slots=True)
class EnvironmentFailure:
    """What went wrong: an observation that reports an error, or a run that failed."""

    message: str
    tool: str
    """The tool that was called; empty if none was, or if it is unknown."""

    at: datetime
    tape_id: UUID
    position: int | None
    """The step that reports it; `None`: the run failed without one."""


@dataclass(frozen=True, slots=True)
class EnvironmentRow:
    """One environment."""

    name: str
    """A registered type, or `mcp.SERVER`; empty: the tools of nodes, and the person."""

    kind: EnvironmentKind
    description: str
    """What it is for, in one sentence."""

    isolation: str
    """What it keeps apart; empty where that does not matter."""

    health: Health
    can_be_checked: bool
    check_id: UUID | None
    """The job that is checking it now."""

    agents: tuple[EnvironmentUser, ...]
    tools: tuple[EnvironmentTool, ...]
    tape_count: int
    """On how many of the newest tapes it was used."""

    last_failure: EnvironmentFailure | None


@dataclass(frozen=True, slots=True)
class Environments:
    """All environments of a project."""

    items: tuple[EnvironmentRow, ...]
    tape_count: int
    """How many tapes were searched: the newest of the project."""

    problem: str
    """Why the MCP servers are unknown; empty if they are known."""

    can_change_servers: bool
    """Whether the person who asks may add MCP servers and allow their tools here."""
