"""What a run leaves behind in its job: how it ended, what it spent, whom it waits for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, ValidationError

from tapes_app.engine.environment import ExternalInputNeeded
from tapes_app.engine.events import LoopFinished, LoopStatus
from tapes_app.jobs.control import BreakpointKind
from tapes_app.jobs.job import Job
from tapes_app.services.run_request import RUN_KIND

RunStatus = LoopStatus | Literal["error", "cancelled", "unopened"]
"""How a run ended; `error`: it broke, and the job's message says why; `unopened`: it could not
even begin, because its agent, model or tape cannot be used."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", use_attribute_docstrings=True)


class Asks(_Part):
    """What the run waits for."""

    position: int
    """The action that has no answer yet."""

    kind: str
    """The kind of that step."""

    tool: str = ""
    """The tool that it calls; empty for other actions."""

    call_id: str = ""
    """Which call of the step, where it holds several."""

    message: str
    data_schema: dict[str, Any] | None = None
    """What the answer must look like as JSON; `None`: any text."""

    answer_kind: str = ""
    """The kind of step that data become; empty: a tool's result, or what the person said."""

    can_approve: bool = False
    """A person may let the tool run live, once, or refuse it."""


class HitBreakpoint(_Part):
    """The breakpoint that a run pauses at, and the step that it is about."""

    kind: BreakpointKind
    value: str
    position: int


class CutOffCall(_Part):
    """The call that was broken off without a step: what had come of it is stored."""

    call_id: UUID
    agent: str
    node: str


class CutAction(_Part):
    """An action that was cut off before its answer came; going on does it again."""

    position: int
    tool: str
    """The tool; the kind of other actions."""

    call_id: str = ""
    is_left_behind: bool = False
    """Nobody could stop it: it may still be at work outside."""


class RunResult(_Part):
    """The value of `Job.result` for a run; sums are over the whole job, pauses and all."""

    status: RunStatus = "ok"
    step_count: int = 0
    new_step_count: int = 0
    tokens: int = 0
    """Input and output tokens; answers from the record count nothing."""

    input_tokens: int = 0
    cache_read_tokens: int = 0
    output_tokens: int = 0
    cost_micro_usd: int | None = 0
    """`None`: the price of some call is unknown."""

    seconds: float = 0.0
    """Time at work; waiting for a person does not count."""

    call_count: int = 0
    cached_call_count: int = 0
    """How many of the calls were answered from the record."""

    asks: Asks | None = None
    hit: HitBreakpoint | None = None
    cut_off: CutOffCall | None = None
    cut_actions: tuple[CutAction, ...] = ()


def describe_asked(finished: LoopFinished) -> Asks | None:
    """Return what a run waits for, with what its environment said of it."""
    pending, refusal = finished.waits_for, finished.refusal
    if pending is None or not isinstance(refusal, ExternalInputNeeded):
        return None
    call = pending.tool_call
    details = refusal.details
    return Asks(
        position=pending.position,
        kind=pending.action.kind,
        tool=call.function.name if call is not None else "",
        call_id=call.id if call is not None else "",
        message=finished.message,
        data_schema=details.get("data_schema"),
        answer_kind=str(details.get("answer_kind", "")),
        can_approve=bool(details.get("can_approve")),
    )


def describe_hit(finished: LoopFinished) -> HitBreakpoint | None:
    hit = finished.hit
    return HitBreakpoint.model_validate(hit._asdict()) if hit is not None else None


def describe_cut(actions: Sequence[CutAction]) -> str:
    """Return a sentence about actions that were cut off; empty when none was."""
    if not actions:
        return ""
    names = ", ".join(dict.fromkeys(repr(action.tool) for action in actions))
    left = ", ".join(dict.fromkeys(repr(one.tool) for one in actions if one.is_left_behind))
    said = f"Cut off before its answer came: {names}; going on does it again."
    if left:
        said += f" Nobody could stop {left}: it may still be at work outside."
    return said


def unopened_result(job: Job) -> RunResult:
    """Return the result of a run that cannot begin; what it did before that stays."""
    before = read_result(job) or RunResult()
    return before.model_copy(update={"status": "unopened", "asks": None, "hit": None})


def read_result(job: Job) -> RunResult | None:
    """Return the result of a run; `None` while there is none, and for other kinds of job."""
    if job.kind != RUN_KIND or job.result is None:
        return None
    try:
        return RunResult.model_validate(job.result)
    except ValidationError:  # written by another version of the studio
        return None
