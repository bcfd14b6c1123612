"""What is sent over the websocket of a job, `/ws/jobs/<id>?after=N`: frames as JSON text.

Numbered frames are the job's event log: `seq` counts from 1 without gaps, and a browser that
reconnects with `after=<last seq>` misses nothing and sees nothing twice. Control frames have no
number. The state of a step (pending, streaming, done, failed) follows from these frames alone:

- `node.started` opens a node run; its deltas, or what its node makes of them (`step.partial`), are
the text that is still being written;
- `step.added` puts a finished step at its position;
- `node.finished` closes the node run, with `error` when it broke;
- `run.started` begins a new attempt: text that was still being written is discarded.

What people request of the job, and what it needs from them, follows from them too: `job.control`
holds all current requests, and `job.state` what the job waits for.
"""

import json
from datetime import datetime
from functools import cache
from typing import Annotated, Any, Literal, Self
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from tapes_app.engine.tape.families import Family
from tapes_app.engine.tape.steps import Writer
from tapes_app.jobs.domain.control import JobControl

JobState = Literal["queued", "running", "waiting", "paused", "succeeded", "failed", "cancelled"]

LARGEST_SEQ = 2**62
"""No log grows this far; a request for a larger number is an error."""

LONGEST_STREAMED_MESSAGE = 1_000
"""Characters of a waiting message in a frame; the job holds all of it."""

LONGEST_STREAMED_RESULT = 100_000
"""Characters of a result as JSON in a frame; a longer result is only in the job."""


class Frame(BaseModel):
    """Base of everything that is sent."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        use_attribute_docstrings=True,
        ser_json_inf_nan="null",  # JSON, and so the browser, has no NaN
    )


class Event(Frame):
    """Base of the numbered frames; the log assigns `seq`, which is 0 until then."""

    seq: int = 0


class StreamedCut(Frame):
    """What is missing from a step that is too large for a frame: the same as over HTTP."""

    size: int
    places: tuple[str, ...]


class StreamedStep(Frame):
    """A step with its line in the outline: the same fields as over HTTP."""

    position: int
    kind: str
    family: Family
    writer: Writer
    agent: str
    node: str
    prompt_id: str
    lane: str = ""
    gist: str
    is_error: bool
    is_own: bool = True
    """Written for this tape; false when it is shared with the parent."""

    call_id: UUID | None = None
    input_tokens: int | None = None
    cache_read_tokens: int | None = None
    output_tokens: int | None = None
    cost_micro_usd: int | None = None
    duration_seconds: float | None = None
    body: dict[str, Any]
    """The step as JSON: kind, data, metadata; only its beginning if there is a `cut`."""

    edited_by: str = ""
    created_at: datetime
    cut: StreamedCut | None = None


class StreamedUsage(Frame):
    """Tokens of one call by price class; `None` = unknown."""

    input_tokens: int | None = None
    cache_read_tokens: int | None = None
    cache_write_tokens: int | None = None
    output_tokens: int | None = None
    reasoning_tokens: int | None = None
    is_estimate: bool = False


class RunStarted(Event):
    """A worker has started, or restarted, to run the agent on the tape."""

    type: Literal["run.started"] = "run.started"
    tape_id: UUID
    agent: str
    step_count: int
    """How many steps the tape has now; later ones arrive as `step.added`."""

    attempt: int
    began_at: datetime
    """When the work was first started; an attempt after a lost worker keeps this time."""

    seconds_before: float = 0.0
    """Time worked before that; pauses and waiting do not count."""


class NodeStarted(Event):
    """A node has made its prompt."""

    type: Literal["node.started"] = "node.started"
    agent: str
    node: str
    prompt_id: str
    has_call: bool
    """False when the node asks no model."""

    lane: str = ""
    """Which of the agents called together it is, as its steps record it; several run at once."""


class StepDelta(Event):
    """The next piece of an answer; pieces of about 36 ms are sent as one."""

    type: Literal["step.delta"] = "step.delta"
    prompt_id: str
    text: str = ""
    reasoning: str = ""
    tool_index: int | None = None
    """Which tool call the piece belongs to; `None` for text."""

    tool_name: str = ""
    tool_arguments: str = ""


class StepPartial(Event):
    """The next piece of a step as its node makes it from the answer; pieces are sent as one.

    If a node provides these, they are the text of the future step; the deltas of the same prompt
    are the raw text that it is made from.
    """

    type: Literal["step.partial"] = "step.partial"
    prompt_id: str
    text: str = ""
    tool_name: str = ""


class StepAdded(Event):
    """A step is on the tape and stored."""

    type: Literal["step.added"] = "step.added"
    tape_id: UUID
    position: int
    step: StreamedStep


class NodeFinished(Event):
    """A node run has finished."""

    type: Literal["node.finished"] = "node.finished"
    agent: str
    node: str
    prompt_id: str
    usage: StreamedUsage = StreamedUsage()
    cost_micro_usd: int | None = None
    duration_seconds: float | None = None
    call_id: UUID | None = None
    """The stored call; `None` for a node that asks no model."""

    error: str = ""
    """Why it failed or was cut short; empty if all went well."""


class JobProgress(Event):
    """How far a job is; `total` is `None` if it is unknown."""

    type: Literal["job.progress"] = "job.progress"
    done: int
    total: int | None = None
    message: str = ""


class JobStateChanged(Event):
    """The job has another state; `message` is a sentence for the person watching."""

    type: Literal["job.state"] = "job.state"
    state: JobState
    message: str = ""
    error_code: str = ""
    cancelled_by: str = ""
    result: dict[str, Any] | None = None
    """The job's result; `None` if nothing is new, or if it is too large for a frame."""


class JobControlChanged(Event):
    """People's requests to the job have changed, or it has granted one."""

    type: Literal["job.control"] = "job.control"
    control: JobControl
    """All requests from here on; long messages are cut, attachments omitted."""

    is_cancel_requested: bool = False
    cancelled_by: str = ""

    @classmethod
    def of(cls, control: JobControl, *, is_cancel_requested: bool, cancelled_by: str) -> Self:
        messages = tuple(
            message.model_copy(update={"text": message.text[:LONGEST_STREAMED_MESSAGE]})
            for message in control.without_media().messages
        )
        return cls(
            control=control.model_copy(update={"messages": messages}),
            is_cancel_requested=is_cancel_requested,
            cancelled_by=cancelled_by,
        )


class Hello(Frame):
    """First frame on every connection.

    If `pruned_seq` is past the number that the browser asked for, the missing events are on the
    tape already: the browser loads the tape over HTTP and continues with the numbered frames from
    there.
    """

    type: Literal["hello"] = "hello"
    job_id: UUID
    state: JobState
    last_seq: int
    pruned_seq: int
    sent_at: datetime
    """By the server's clock, so that a page can show how long ago something happened."""


class Ping(Frame):
    """Sent after a period without other frames, so that a dead connection is noticed."""

    type: Literal["ping"] = "ping"


ServerMessage = Annotated[
    RunStarted
    | NodeStarted
    | StepDelta
    | StepPartial
    | StepAdded
    | NodeFinished
    | JobProgress
    | JobStateChanged
    | JobControlChanged
    | Hello
    | Ping,
    Field(discriminator="type"),
]

SERVER_MESSAGE: TypeAdapter[ServerMessage] = TypeAdapter(ServerMessage)

_JOB_STATE: TypeAdapter[JobState] = TypeAdapter(JobState)
FINAL_STATES: frozenset[JobState] = frozenset({"succeeded", "failed", "cancelled"})

CLOSE_NOT_SIGNED_IN = 4401
CLOSE_NOT_ALLOWED = 4403
"""The person has since left the project."""

CLOSE_NOT_FOUND = 4404
"""There is no such job for this person."""

CLOSE_TOO_SLOW = 4408
"""The browser did not read fast enough; it reconnects with its last number."""

CLOSE_BAD_REQUEST = 4400


@cache  # there are few, and a report of a sweep needs those of 20,000 runs
def parse_state(stored: str) -> JobState:
    """Return the state in a column as the type that frames use."""
    return _JOB_STATE.validate_python(stored)


def encode_event(event: Event) -> str:
    """Return an event in the form of the log: JSON text without the number.

    ASCII only, so that lone surrogates and NUL characters of hostile tapes pass through any
    database and any browser.
    """
    return json.dumps(event.model_dump(mode="json", exclude={"seq"}), separators=(",", ":"))


def frame_event(seq: int, encoded: str) -> str:
    """Return the frame of a stored event: with its number prepended, and without parsing it."""
    return f'{{"seq":{seq},{encoded[1:]}'


def encode_control(frame: Hello | Ping) -> str:
    return json.dumps(frame.model_dump(mode="json"), separators=(",", ":"))


def build_schema() -> dict[str, Any]:
    """Return the JSON schema of everything that the server sends."""
    schema = SERVER_MESSAGE.json_schema(mode="serialization")
    return {"title": "ServerMessage", **schema}


LIVE_STATES = ("queued", "running", "waiting", "paused")
