"""Jobs: long work and how it goes."""

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from pydantic import Field

from tapes_app.jobs.control import LONGEST_MESSAGE, MAX_BREAKPOINTS, Breakpoint, JobControl
from tapes_app.jobs.run_result import RunResult
from tapes_app.projects.api.bodies import In, Out

Attachments = tuple[dict[str, Any], ...]
"""Images as data: URLs and recordings, as parts of a message of chat completions."""

JobState = Literal["queued", "running", "waiting", "paused", "succeeded", "failed", "cancelled"]


class JobOut(Out):
    id: UUID
    kind: str
    state: JobState
    title: str
    tape_id: UUID | None
    batch_id: UUID | None
    message: str
    error_code: str
    progress_done: int
    progress_total: int | None
    is_cancel_requested: bool
    cancelled_by: str
    attempt: int
    last_seq: int
    result: dict[str, Any] | None
    run: RunResult | None
    """The result of a run, typed; `None` for other kinds of job and before its first rest."""

    control: JobControl
    """What people want of it and what has not been granted yet."""

    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None


class ContinueIn(In):
    """How far a paused run continues: to its end, or for one node run or answered action."""

    mode: Literal["run", "step"] = "run"


class SteerIn(In):
    """What to say to the agent at its next turn."""

    text: str = Field(min_length=1, max_length=LONGEST_MESSAGE)
    attachments: Attachments | None = None


class BreakpointsIn(In):
    """All breakpoints of a run; those that it had before are replaced."""

    breakpoints: tuple[Breakpoint, ...] = Field(max_length=MAX_BREAKPOINTS)


class JobPageOut(Out):
    items: list[JobOut]
    next: str | None
