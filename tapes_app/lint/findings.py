"""What the linter says, and what it may know beside the tape."""

from typing import Any, Literal, NamedTuple

from pydantic import Field

from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.engine.spec import AgentSpec

Severity = Literal["error", "warning", "info"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")
"""From the gravest down."""


def read_severity(value: str) -> Severity:
    """Return a severity from its stored name; an unknown one is the least grave."""
    return next((severity for severity in SEVERITIES if severity == value), "info")


class Finding(FrozenModel):
    """One thing that is wrong, or worth a look, at one step."""

    detector: str
    """Name of the detector, or `rule:` and the name of a rule."""

    severity: Severity
    position: int
    """The step that it is about, from 0."""

    field: str = ""
    """JSON pointer (RFC 6901) into the step; empty: the whole of it."""

    message: str
    """One plain sentence."""


class Found(NamedTuple):
    """What a detector gives for one finding; the linter adds its name and severity."""

    position: int
    message: str
    field: str = ""
    """JSON pointer into the step; empty: the whole of it."""


class CallFacts(FrozenModel):
    """What the linter wants to know of an LLM call; `None` = unknown."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    context_limit: int | None = None
    """Tokens that the model can read at once."""


class LintContext(FrozenModel):
    """What is known beside the tape; a detector that lacks what it needs says nothing."""

    agent: AgentSpec | None = None
    """The agent that wrote the tape."""

    tools: dict[str, dict[str, Any]] | None = None
    """JSON schema of the arguments by the name of each tool that was offered."""

    step_budget: int | None = Field(default=None, ge=1)
    """How many steps a tape may have."""

    calls: dict[str, CallFacts] = Field(default_factory=dict)
    """LLM calls by prompt id."""
