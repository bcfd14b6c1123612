"""What a shared tape holds, whatever file it becomes: already cleaned of secrets."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

VisualFamily = Literal[
    "communication", "thought", "action", "observation", "control", "error"
]  # fmt: skip
FAMILY_WORDS: dict[VisualFamily, str] = {
    "communication": "Communication",
    "thought": "Thought",
    "action": "Action",
    "observation": "Observation",
    "control": "Control",
    "error": "Error",
}


@dataclass(frozen=True)
class SharedCall:
    """An LLM call, shown at the first step that came from it."""

    model: str
    facts: tuple[tuple[str, str], ...]
    messages: tuple[Mapping[str, Any], ...]
    """Those that the call before did not have."""

    shared_count: int
    """How many messages it has in common with the call before; they stand there."""

    previous: int | None
    """The step at which the call before is shown."""

    tools: tuple[Mapping[str, Any], ...]
    output: Mapping[str, Any]
    parameters: Mapping[str, Any]
    error: str = ""


@dataclass(frozen=True)
class SharedStep:
    position: int
    kind: str
    family: VisualFamily
    agent: str
    node: str
    fields: Mapping[str, Any]
    """The step's data: no kind, no metadata."""

    call: SharedCall | None = None

    @property
    def name(self) -> str:
        """Who wrote it: `agent.node`."""
        return ".".join(part for part in (self.agent, self.node) if part)


@dataclass(frozen=True)
class SharedTape:
    title: str
    facts: tuple[tuple[str, str], ...]
    """What it is and what it took, as names and values."""

    steps: Iterable[SharedStep]
    context: Any = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""
    """What was left out, and why."""


def pretty_json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False, default=str)


def read_arguments(given: Any) -> Any:
    """Return a tool call's arguments as data, or as they came when they are no JSON."""
    if not isinstance(given, str):
        return given
    try:
        return json.loads(given)
    except (ValueError, RecursionError):
        return given
