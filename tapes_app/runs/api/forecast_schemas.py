"""What is asked before a run: does the agent fit, and what will it take."""

from typing import Literal
from uuid import UUID

from pydantic import Field

from tapes_app.projects.api.bodies import In


class EstimateIn(In):
    """A run that may be started. The answer takes the recorded rest of the tape for a guide."""

    agent_version_id: UUID
    model_id: UUID | None = None
    from_position: int | None = Field(default=None, ge=0, le=2**31 - 1)
    """Where on the recorded tape the work begins; its end by default."""

    until: Literal["end", "next_action", "next_node", "step"] = "end"
    until_position: int | None = Field(default=None, ge=0, le=2**31 - 1)
    reuse_recorded: bool = False
