"""What a run leaves behind in its job, as a value."""

from typing import Any, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, ValidationError

from tapes_app.engine.environment.events import LoopStatus
from tapes_app.jobs.domain.control import BreakpointKind

RUN_KIND = "run"
"""The kind of job that runs an agent on a tape."""

RunStatus = LoopStatus | Literal["error", "cancelled", "unopened"]
"""How a run ended; `error`: it failed, and the job's message explains why; `unopened`: it could not
even start, because its agent, model or tape cannot be used."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", use_attribute_docstrings=True)


class Asks(_Part):
    """What the run waits for."""

    position: int
    """The position of the unanswered action."""

    kind: str
    """The kind of that step."""

    tool: str = ""
    """The tool that it calls; empty for other actions."""

    call_id: str = ""
    """The call within the step, if it holds several."""

    message: str
    data_schema: dict[str, Any] | None = None
    """The JSON schema of the answer; `None`: any text."""

    answer_kind: str = ""
    """The kind of step that data become; empty: a tool's result, or a person's message."""

    can_approve: bool = False
    """A person may allow the tool to run live, once, or refuse it."""


class HitBreakpoint(_Part):
    """The breakpoint that a run pauses at, and the step concerned."""

    kind: BreakpointKind
    value: str
    position: int


class CutOffCall(_Part):
    """A call that was cut off without a step: what had arrived of it is stored."""

    call_id: UUID
    agent: str
    node: str


class CutAction(_Part):
    """An action that was cut off before its answer arrived; resuming runs it again."""

    position: int
    tool: str
    """The tool, or the kind of other actions."""

    call_id: str = ""
    is_left_behind: bool = False
    """It could not be stopped: it may still be running outside."""


class CodeLine(_Part):
    """A line of an agent's own code that was running when it failed."""

    file: str
    line: int
    function: str
    code: str
    """The code on that line."""


class RefusedCall(_Part):
    """A call that did not fit the budget, and what it would probably take."""

    tokens: int
    micro_usd: int


class RunResult(_Part):
    """The value of `Job.result` for a run; sums cover the entire job, across all pauses."""

    status: RunStatus = "ok"
    step_count: int = 0
    new_step_count: int = 0
    tokens: int = 0
    """Input and output tokens; answers from a recording do not count."""

    input_tokens: int = 0
    cache_read_tokens: int = 0
    output_tokens: int = 0
    cost_micro_usd: int | None = 0
    """`None`: the price of some call is unknown."""

    seconds: float = 0.0
    """Time worked; waiting for a person does not count."""

    call_count: int = 0
    cached_call_count: int = 0
    """How many of the calls were answered from a recording."""

    asks: Asks | None = None
    hit: HitBreakpoint | None = None
    cut_off: CutOffCall | None = None
    refused_call: RefusedCall | None = None
    cut_actions: tuple[CutAction, ...] = ()
    code_lines: tuple[CodeLine, ...] = ()
    """Where the agent's own code failed, the innermost line last; otherwise empty."""


def read_result(kind: str, result: dict[str, Any] | None) -> RunResult | None:
    """Return the result of a run; `None` while there is none, and for other kinds of job."""
    if kind != RUN_KIND or result is None:
        return None
    try:
        return RunResult.model_validate(result)
    except ValidationError:  # written by another version of the studio
        return None
