"""What a check of an environment found, and how the environment is according to that."""

from datetime import datetime
from typing import NamedTuple

from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.environments.needs import Readiness
from tapes_app.runs.domain.environment_rows import Health

CHECK_KIND = "environment_check"
LONGEST_DESCRIPTION = 300
"""Characters of a tool's description that are kept and shown."""


class CheckRequest(FrozenModel):
    """Which environment to check, by its name."""

    name: str


class Check(NamedTuple):
    """The newest finished check of an environment."""

    at: datetime
    is_ok: bool
    message: str


def judge(readiness: Readiness | None, check: Check | None, *, can_be_checked: bool) -> Health:
    """Return how an environment is, from a look at this machine and its newest check.

    `readiness`: `None` if it needs nothing of this machine.
    """
    if readiness is not None and not readiness.is_ready:
        return Health("failing", describe_readiness(readiness), check.at if check else None)
    if check is not None:
        return Health("ok" if check.is_ok else "failing", check.message, check.at)
    if can_be_checked:
        return Health("unchecked", "Not checked in the last week.")
    return Health("ok", "There is nothing to check.")


def judge_server(
    health: Health, *, name: str, allowed_count: int, changed: int, missing: int
) -> Health:
    """Return how an MCP server is, given its own health and that of its tools.

    `missing`: how many of its tools agents name without being allowed to use them.
    """
    if health.state == "failing":
        reason = health.message.rstrip(".")
        advice = "Start it, or correct its entry in mcp.json; then check it again."
        return Health("failing", f"{reason}. {advice}", health.checked_at)
    if missing:
        message = (
            "An agent names a tool of it that is not allowed, so its runs fail. "
            f"Allow it, here or with `manage.py mcp allow {name}`, or take it out of the agent."
        )
    elif changed:
        message = (
            "A tool has changed since it was allowed, so runs that would use it are refused. "
            f"If that is right, allow it again, here or with `manage.py mcp allow {name}`."
        )
    elif not allowed_count:
        message = (
            "Agents may use none of its tools yet. "
            f"Allow them, here or with `manage.py mcp allow {name}`."
        )
    else:
        return health
    return Health("warning", message, health.checked_at)


def describe_missing(name: str) -> Health:
    """Return the health of a server that agents use and that is not there."""
    return Health(
        "failing",
        f"There is no MCP server {name!r} here, so runs of these agents fail. "
        f"Add it, here or with `manage.py mcp add {name}`, or take its tools out of the agents.",
    )


def describe_unregistered(name: str) -> Health:
    """Return the health of a type that agents name and that no code here registers."""
    return Health(
        "failing",
        f"No environment {name!r} is registered here, so runs of these agents fail. Load the "
        "plugin that has it, or choose another in the agents.",
    )


def describe_readiness(readiness: Readiness) -> str:
    """Return what was found and what to do, as sentences."""
    found = readiness.found[:1].upper() + readiness.found[1:].rstrip(".") + "."
    return f"{found} {readiness.advice}".rstrip()
