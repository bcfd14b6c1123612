"""Re-runs: what a preview found, and how far one is."""

from typing import Literal
from uuid import UUID

from tapes_app.batches.services.rerun_preview import RerunEstimate
from tapes_app.experiments.store.experiments import Spending
from tapes_app.projects.api.bodies import LeftOut, Out
from tapes_app.runs.request import Budget
from tapes_app.tapes.store.starts import SourceBatch


class RerunPreviewOut(Out):
    """What was found on `looked_at` of `tape_count` tapes."""

    tape_count: int
    looked_at: int
    fitting: int
    left_out: LeftOut
    estimate: RerunEstimate | None
    """`null`: nothing recorded tells."""

    sources: list[SourceBatch]


class RerunStatesOut(Out):
    """How many runs are in each state. One that ran out of the budget is not a failure."""

    queued: int = 0
    running: int = 0
    waiting: int = 0
    paused: int = 0
    succeeded: int = 0
    failed: int = 0
    cancelled: int = 0
    out_of_budget: int = 0


class RerunOut(Out):
    """How far a re-run is, and where to look at the result."""

    id: UUID
    state: Literal["preparing", "running", "finished", "failed", "cancelled"]
    message: str
    """Why it failed; empty otherwise."""

    batch_id: UUID | None
    """`null`: no tape fitted, or all were removed."""

    batch_name: str
    tape_count: int
    done_count: int
    states: RerunStatesOut
    spent: Spending
    budget: Budget
    stopped_reason: str
    """Why it stopped before its end: the budget, or a person."""

    left_out: LeftOut
    sources: list[SourceBatch]
    """The batches of the tapes that were run again, largest first."""

    pair_key: str
    """By what the new batch and an old one are compared: task or start."""


class RerunListOut(Out):
    items: list[RerunOut]
