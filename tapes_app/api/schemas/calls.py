"""LLM calls: the exact prompt, the output and what it cost."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from pydantic import Field

from tapes_app.api.schemas.bodies import In, Out
from tapes_app.api.schemas.comparing import WordChangeOut


class UsageOut(Out):
    input_tokens: int | None
    cache_read_tokens: int | None
    cache_write_tokens: int | None
    output_tokens: int | None
    reasoning_tokens: int | None


class PriceLineOut(Out):
    """One token class of a call: how many, at what price, how much.

    `price` in micro US dollars for a million tokens; `None` = unknown.
    """

    name: str
    tokens: int | None
    price: int | None
    cost_micro_usd: int | None


class LLMCallOut(Out):
    """The call behind a step: the exact prompt, the output and what it cost."""

    id: UUID
    prompt_id: str
    model_name: str
    llm: dict[str, Any]
    messages: list[dict[str, Any]]
    """The last ones, from `first_message` on; earlier ones come in pages."""

    first_message: int
    message_count: int
    tools: list[dict[str, Any]] | None
    response_format: dict[str, Any] | None
    output: dict[str, Any]
    usage: UsageOut
    price_lines: list[PriceLineOut]
    cost_micro_usd: int | None
    started_at: datetime | None
    duration_seconds: float | None
    first_token_seconds: float | None
    finish_reason: str
    is_cached: bool
    error: str
    previous_call_id: UUID | None
    """The call before it on this tape by the same agent, to show only what is new."""

    previous_message_count: int
    shared_message_count: int
    """How many leading messages equal those of the previous call."""


class MessagePageOut(Out):
    """Some messages of a prompt, from `first_message` on."""

    messages: list[dict[str, Any]]
    first_message: int
    message_count: int


class MessageChangeOut(Out):
    """Equal messages of two prompts, or one that changed, came or went."""

    op: Literal["equal", "changed", "removed", "inserted"]
    count: int
    before: int | None
    after: int | None
    """The first positions in the earlier and the later prompt."""

    old: dict[str, Any] | None
    """The earlier message, where it is not in the later prompt."""

    words: list[WordChangeOut] | None


class PromptChangesOut(Out):
    """A prompt against the one before it by the same agent."""

    previous_call_id: UUID | None
    changes: list[MessageChangeOut]
    has_other_tools: bool


class OutputPartOut(Out):
    """A piece of an answer and the positions of the steps that came of it."""

    part: Literal["content", "reasoning", "tool_call"]
    index: int | None
    start: int | None
    end: int | None
    positions: list[int]


class OutputProblemOut(Out):
    """Why an answer could not be read, and where: code points, lines and columns from 1."""

    message: str
    part: Literal["content", "reasoning", "tool_call"]
    index: int | None
    start: int | None
    end: int | None
    line: int | None
    column: int | None


class ParsedOutputOut(Out):
    positions: list[int]
    parts: list[OutputPartOut]
    problem: OutputProblemOut | None


class OutputIn(In):
    """Another answer, as a model would give it."""

    content: str | None = None
    tool_calls: list[dict[str, Any]] = Field(default_factory=list, max_length=1000)
    reasoning_content: str | None = None


class MadeStepsOut(Out):
    """The steps that another answer gives, and the positions of those they take the place of."""

    positions: list[int]
    steps: list[dict[str, Any]]
    made_by: str


class TrainingTextOut(Out):
    """What a model would read and what it would learn; `reason` says why it cannot."""

    prompt_text: str
    output_text: str
    reason: str


class CallSumsOut(Out):
    call_count: int
    input_tokens: int | None
    cache_read_tokens: int | None
    cache_write_tokens: int | None
    output_tokens: int | None
    reasoning_tokens: int | None
    cost_micro_usd: int | None
    duration_seconds: float | None


class CallTotalsOut(Out):
    """What the calls up to a step took: those of its agent, and all of the tape."""

    agent_name: str
    agent: CallSumsOut
    tape: CallSumsOut
