"""What a run leaves behind in its job, as a value."""

from typing import Any, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, ValidationError

from tapes_app.engine.events import LoopStatus
from tapes_app.jobs.control import BreakpointKind

RUN_KIND = "run"
"""The kind of jobs that run an agent on a tape."""

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
    """Nobody could stop it: it may still be running outside."""


class CodeLine(_Part):
    """A line of an agent's own code that ran when it broke."""

    file: str
    line: int
    function: str
    code: str
    """What stands there."""


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
    """Time worked; waiting for a person does not count."""

    call_count: int = 0
    cached_call_count: int = 0
    """How many of the calls were answered from the record."""

    asks: Asks | None = None
    hit: HitBreakpoint | None = None
    cut_off: CutOffCall | None = None
    cut_actions: tuple[CutAction, ...] = ()
    code_lines: tuple[CodeLine, ...] = ()
    """Where the agent's own code broke, the innermost line last; else empty."""


def read_result(kind: str, result: dict[str, Any] | None) -> RunResult | None:
    """Return the result of a run; `None` while there is none, and for other kinds of job."""
    if kind != RUN_KIND or result is None:
        return None
    try:
        return RunResult.model_validate(result)
    except ValidationError:  # written by another version of the studio
        return None
