"""The contents of a shared tape, independent of file format and already cleaned of secrets.

In its text for other people, characters that hide or reorder text are made visible.
"""

import json
import re
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
    """The messages that the previous call did not have."""

    shared_count: int
    """How many messages it shares with the previous call; those are shown there."""

    previous: int | None
    """The step at which the previous call is shown."""

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
    """The step's data, without kind and metadata."""

    call: SharedCall | None = None

    @property
    def name(self) -> str:
        """Who wrote it: `agent.node`."""
        return ".".join(part for part in (self.agent, self.node) if part)


@dataclass(frozen=True)
class SharedTape:
    title: str
    facts: tuple[tuple[str, str], ...]
    """Its properties and costs, as names and values."""

    steps: Iterable[SharedStep]
    context: Any = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""
    """What was left out, and why."""


def pretty_json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False, default=str)


def read_arguments(given: Any) -> Any:
    """Return a tool call's arguments as data, or unchanged if they are not JSON."""
    if not isinstance(given, str):
        return given
    try:
        return json.loads(given)
    except (ValueError, RecursionError):
        return given


# The same characters as in the page: controls, marks and changes of direction, zero widths,
# invisible letters, and lone surrogates, which no encoding can carry.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)
_PICTURES = 0x2400
"""Where Unicode's pictures of the first 32 control characters start."""


_PIECE_LENGTH = 16_384
"""An expression keeps all other threads waiting until it is through its text."""


def visible_text(text: str) -> str:
    """Return a text in which every character is visible; carriage returns are dropped."""
    pieces = (text[at : at + _PIECE_LENGTH] for at in range(0, len(text), _PIECE_LENGTH))
    return "".join(_HIDDEN.sub(_show, piece) for piece in pieces)


def _show(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code == ord("\r"):
        return ""
    return chr(_PICTURES + code) if code < ord(" ") else f"[U+{code:04X}]"
