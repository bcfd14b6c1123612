"""The playground: a prompt asked of a model, its answer kept nowhere else."""

from typing import Any
from uuid import UUID

from pydantic import Field

from tapes_app.calls.services.calls import PriceLine
from tapes_app.engine.llm import Usage
from tapes_app.jobs.api.schemas import JobOut
from tapes_app.projects.api.bodies import In, Out
from tapes_app.tapes.word_diff import WordChange


class PlaygroundIn(In):
    call_id: UUID | None = None
    """The recorded call that the prompt was taken from: its answer is compared with."""

    model_id: UUID | None = None
    """`None`: what answered the recorded call."""

    messages: list[dict[str, Any]] = Field(min_length=1, max_length=10_000)
    tools: list[dict[str, Any]] | None = Field(default=None, max_length=1000)
    response_format: dict[str, Any] | None = None
    parameters: dict[str, Any] = Field(default_factory=dict)


class PlaygroundRunOut(Out):
    """A question and its answer as far as it came; the rest comes over the job's socket."""

    job: JobOut
    model_name: str
    output: dict[str, Any] | None
    usage: Usage
    price_lines: list[PriceLine]
    cost_micro_usd: int | None
    duration_seconds: float | None
    first_token_seconds: float | None
    finish_reason: str
    words: list[WordChange] | None
    """The answer against the recorded one; `None` where that would tell nothing."""
