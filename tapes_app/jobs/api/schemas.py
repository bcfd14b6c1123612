"""Jobs: long-running work and its progress."""

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from pydantic import Field

from tapes_app.jobs.domain.control import LONGEST_MESSAGE, MAX_BREAKPOINTS, Breakpoint, JobControl
from tapes_app.jobs.domain.protocol import JobState
from tapes_app.jobs.domain.run_result import RunResult
from tapes_app.jobs.store.folding import JobGroup
from tapes_app.projects.api.bodies import In, Out

Attachments = tuple[dict[str, Any], ...]
"""Images as data: URLs and recordings, as parts of a chat-completions message."""


class JobOut(Out):
    id: UUID
    kind: str
    state: JobState
    title: str
    tape_id: UUID | None
    batch_id: UUID | None
    message: str
    unheard_queue: str
    """The queue in which it waits although no worker listens to it; empty otherwise."""

    group: JobGroup | None
    """The runs of a Run N that it stands for, in a list that is folded."""

    error_code: str
    progress_done: int
    progress_total: int | None
    is_cancel_requested: bool
    cancelled_by: str
    attempt: int
    last_seq: int
    result: dict[str, Any] | None
    run: RunResult | None
    """The result of a run, typed; `None` for other kinds of job and before it first comes to
    rest."""

    control: JobControl
    """What people have requested of it that has not been granted yet."""

    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None


class ContinueIn(In):
    """How far a paused run continues: to its end, or for one node run or answered action."""

    mode: Literal["run", "step"] = "run"


class SteerIn(In):
    """A message to the agent for its next turn."""

    text: str = Field(min_length=1, max_length=LONGEST_MESSAGE)
    attachments: Attachments | None = None


class BreakpointsIn(In):
    """All breakpoints of a run; they replace its previous ones."""

    breakpoints: tuple[Breakpoint, ...] = Field(max_length=MAX_BREAKPOINTS)


class JobPageOut(Out):
    items: list[JobOut]
    next: str | None
