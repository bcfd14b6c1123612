"""How large an agent may be as data; whatever is larger is refused before anything reads it."""

import math
from collections.abc import Iterator
from typing import Any

from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.plain_json import dump_json_text

MOST_CHARACTERS = 2_000_000
MOST_NODES = 1_000
MOST_AGENTS = 200
DEEPEST = 40
"""How deep lists and objects may be nested; each subagent takes two levels."""


class SpecTooLargeError(InvalidInputError):
    """A spec is larger than an agent may be."""

    code = "spec_too_large"


def check_size(spec: Any) -> None:
    """Refuse a spec that is too large.

    Raises:
        SpecTooLargeError: it is nested too deep, or has too many nodes, agents or characters.
        InvalidInputError: it contains a number that is not in JSON, such as NaN.
    """
    _check_depth(spec)
    agents = list(_walk_agents(spec))
    nodes = sum(_count_items(agent.get("nodes")) for agent in agents)
    if nodes > MOST_NODES or len(agents) > MOST_AGENTS:
        raise SpecTooLargeError(
            f"This agent has {nodes:,} nodes and {len(agents) - 1:,} subagents; it can have at "
            f"most {MOST_NODES:,} and {MOST_AGENTS - 1:,}. Split it into several agents."
        )
    size = len(dump_json_text(spec))
    if size > MOST_CHARACTERS:
        raise SpecTooLargeError(
            f"This agent has {size:,} characters as JSON; it can have at most "
            f"{MOST_CHARACTERS:,}. Shorten its templates."
        )


def _check_depth(spec: Any) -> None:
    level = [spec]
    for _ in range(DEEPEST + 1):
        values = [item for parent in level for item in _list_items(parent)]
        if any(isinstance(value, float) and not math.isfinite(value) for value in values):
            raise InvalidInputError("An agent cannot contain NaN or Infinity; use plain numbers.")
        level = [value for value in values if isinstance(value, dict | list)]
        if not level:
            return
    raise SpecTooLargeError(f"This agent is nested deeper than {DEEPEST} levels; make it flatter.")


def _list_items(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


def _walk_agents(spec: Any) -> Iterator[dict[str, Any]]:
    """Yield an agent and its subagents; what is no agent is left out."""
    if not isinstance(spec, dict):
        return
    yield spec
    members = spec.get("subagents")
    for member in members if isinstance(members, list) else ():
        yield from _walk_agents(member)


def _count_items(value: Any) -> int:
    return len(value) if isinstance(value, list) else 0
