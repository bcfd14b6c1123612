"""What is asked before a run: does the agent fit, and what will it take."""

from __future__ import annotations

from typing import Literal
from uuid import UUID

from pydantic import Field

from tapes_app.api.schemas.bodies import In, Out


class FitProblemOut(Out):
    """Why a run would not start."""

    code: str
    """What sort of thing is missing: agent, model, subagent, node, kind, key, …"""

    name: str
    message: str


class NearAgentOut(Out):
    """An agent that can go on; `overlap` from 0 to 1: how like the tape's own team it is."""

    agent_id: UUID
    agent_version_id: UUID
    name: str
    number: int
    overlap: float


class FitOut(Out):
    """Whether an agent version can go on from a place on a tape."""

    can_continue: bool
    agent: str
    """The member of the team that acts next; empty when none does."""

    node: str
    open_actions: list[str]
    """Tools, or kinds of actions, that the last turn asked for and nobody answered."""

    problems: list[FitProblemOut]
    notes: list[str]
    """What is no reason to refuse, and good to know."""

    nearest: list[NearAgentOut]
    """Agents that can go on, when this one cannot; the most alike first."""


class EstimateIn(In):
    """A run that may be started. The answer takes the recorded rest of the tape for a guide."""

    agent_version_id: UUID
    model_id: UUID | None = None
    from_position: int | None = Field(default=None, ge=0, le=2**31 - 1)
    """Where on the recorded tape the work begins; its end by default."""

    until: Literal["end", "next_action", "next_node", "step"] = "end"
    until_position: int | None = Field(default=None, ge=0, le=2**31 - 1)
    reuse_recorded: bool = False


class RangeOut(Out):
    """The middle half of what was seen, with its median; all of it when little was seen."""

    low: float
    likely: float
    high: float


class EstimateOut(Out):
    """Ranges for a run; `None` where nothing recorded tells."""

    calls: RangeOut | None
    input_tokens: RangeOut | None
    output_tokens: RangeOut | None
    cost_micro_usd: RangeOut | None
    seconds: RangeOut | None
    is_per_call: bool
    """The ranges are those of one call: how many there will be, nothing recorded tells."""

    sample_count: int
    basis: str
    """What the numbers come from, in a sentence."""
