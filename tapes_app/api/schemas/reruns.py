"""Re-runs: what a preview found, and how far one is."""

from __future__ import annotations

from typing import Any, Literal
from uuid import UUID

from pydantic import field_validator

from tapes_app.api.schemas.batches import LeftOutOut, list_reasons
from tapes_app.api.schemas.bodies import Out
from tapes_app.api.schemas.experiments import SpendingOut
from tapes_app.api.schemas.forecasts import RangeOut
from tapes_app.services.run_request import Budget


class SourceBatchOut(Out):
    """A batch with how many of the tapes are in it."""

    id: UUID
    name: str
    tape_count: int


class RerunEstimateOut(Out):
    """What all runs together would take, worked out from `sample_count` of the tapes."""

    tokens: RangeOut | None
    cost_micro_usd: RangeOut | None
    sample_count: int


class RerunPreviewOut(Out):
    """What was found on `looked_at` of `tape_count` tapes."""

    tape_count: int
    looked_at: int
    fitting: int
    left_out: list[LeftOutOut]
    estimate: RerunEstimateOut | None
    """`null`: nothing recorded tells."""

    sources: list[SourceBatchOut]

    @field_validator("left_out", mode="before")
    @classmethod
    def _list_reasons(cls, reasons: Any) -> Any:
        return list_reasons(reasons)


class RerunStatesOut(Out):
    """How many runs are in each state. One that ran out of the budget is no failure."""

    queued: int = 0
    running: int = 0
    waiting: int = 0
    paused: int = 0
    succeeded: int = 0
    failed: int = 0
    cancelled: int = 0
    out_of_budget: int = 0


class RerunOut(Out):
    """How far a re-run is, and where to look at what came of it."""

    id: UUID
    state: Literal["preparing", "running", "finished", "failed", "cancelled"]
    message: str
    """Why it failed; empty otherwise."""

    batch_id: UUID | None
    """`null`: no tape fitted, or all were taken back."""

    batch_name: str
    tape_count: int
    done_count: int
    states: RerunStatesOut
    spent: SpendingOut
    budget: Budget
    stopped_reason: str
    """Why it stopped before its end: the budget, or a person."""

    left_out: list[LeftOutOut]
    sources: list[SourceBatchOut]
    """The batches of the tapes that were run again, largest first."""

    pair_key: str
    """By what the new batch and an old one are compared: task or start."""


class RerunListOut(Out):
    items: list[RerunOut]
