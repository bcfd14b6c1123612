"""The linter's findings, and the context that it may use in addition to the tape."""

from typing import Any, Literal, NamedTuple

from pydantic import Field

from tapes_app.engine.agent.spec import AgentSpec
from tapes_app.engine.frozen_model import FrozenModel

Severity = Literal["error", "warning", "info"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")
"""From most to least severe."""


def read_severity(value: str) -> Severity:
    """Return a severity from its stored name; an unknown one counts as the least severe."""
    return next((severity for severity in SEVERITIES if severity == value), "info")


class Finding(FrozenModel):
    """Something that is wrong, or worth checking, at one step."""

    detector: str
    """Name of the detector, or `rule:` and the name of the rule."""

    severity: Severity
    position: int
    """The position of the step, from 0."""

    field: str = ""
    """JSON pointer (RFC 6901) into the step; empty for the whole step."""

    message: str
    """One plain sentence."""


class Found(NamedTuple):
    """A detector's result for one finding; the linter adds its name and severity."""

    position: int
    message: str
    field: str = ""
    """JSON pointer into the step; empty for the whole step."""


class CallFacts(FrozenModel):
    """What the linter needs to know about an LLM call; `None` means unknown."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    context_limit: int | None = None
    """How many tokens the model can read at once."""


class LintContext(FrozenModel):
    """Context of a tape; a detector that lacks what it needs reports nothing."""

    agent: AgentSpec | None = None
    """The agent that wrote the tape."""

    tools: dict[str, dict[str, Any]] | None = None
    """JSON schema of the arguments, by the name of each tool that was offered."""

    step_budget: int | None = Field(default=None, ge=1)
    """How many steps a tape may have."""

    calls: dict[str, CallFacts] = Field(default_factory=dict)
    """LLM calls by prompt id."""
