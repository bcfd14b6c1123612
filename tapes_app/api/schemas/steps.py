"""Steps: lines of the outline, whole steps, and what their forms are made from."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from tapes_app.api.schemas.bodies import Out

Family = Literal["thought", "action", "observation", "control"]
Writer = Literal["agent", "environment", "person", "import"]


class OutlineRowOut(Out):
    """One step without its body: enough for a line of a map or a list."""

    position: int
    kind: str
    family: Family
    writer: Writer
    agent: str
    node: str
    prompt_id: str
    gist: str
    is_error: bool
    is_own: bool
    """Written for this tape; false when it is shared with the parent."""

    call_id: UUID | None
    input_tokens: int | None
    cache_read_tokens: int | None
    output_tokens: int | None
    cost_micro_usd: int | None
    duration_seconds: float | None


class OutlineCallsOut(Out):
    """What the LLM calls behind a page of steps took, one column each."""

    id: list[UUID]
    input_tokens: list[int | None]
    cache_read_tokens: list[int | None]
    output_tokens: list[int | None]
    cost_micro_usd: list[int | None]
    duration_seconds: list[float | None]


class OutlineOut(Out):
    """Some steps of a tape in columns: the entry for step `start + i` is at place `i`.

    `kind`, `family`, `writer`, `agent`, `node` and `prompt` hold places in `kinds`, `families`,
    `writers`, `agents`, `nodes` and `prompts`; `call` in `calls`, or -1 for no call.
    """

    start: int
    step_count: int
    """Of the whole tape."""

    kinds: list[str]
    families: list[Family]
    writers: list[Writer]
    agents: list[str]
    nodes: list[str]
    prompts: list[str]
    kind: list[int]
    family: list[int]
    writer: list[int]
    agent: list[int]
    node: list[int]
    prompt: list[int]
    call: list[int]
    gist: list[str]
    lines: list[int]
    """About how many lines a folded card shows of it."""

    is_error: list[int]
    is_own: list[int]
    calls: OutlineCallsOut


class StepOut(OutlineRowOut):
    """One step with everything in it."""

    body: dict[str, Any]
    """The step as JSON: kind, data, metadata."""

    edited_by: str
    created_at: datetime


class StepPageOut(Out):
    items: list[StepOut]
    step_count: int


class StepVariantOut(Out):
    """One class of a kind: real tapes use a kind for several."""

    title: str
    description: str
    data_schema: dict[str, Any]


class StepSchemaOut(Out):
    """What the editing form is made from. References in schemas are written out."""

    kind: str
    family: Family
    is_known: bool
    """False when no class knows the kind: the form then follows the data."""

    data_schema: dict[str, Any]
    variants: list[StepVariantOut]
    """All classes of the kind, the one of `data_schema` first; empty when none knows it."""


class StepKindOut(Out):
    """A kind that may be inserted."""

    kind: str
    family: Family
    description: str


class ViewOut(Out):
    agent: str
    called_at: int | None
    """Position of the Call that opened the view; `None` for the root."""

    next_node: str | int | None
    last_node: str
    step_count: int
    positions: list[int]
    """Positions on the tape of the steps that this agent sees."""


class ViewStackOut(Out):
    """The view stack after a step, root first; `error` says why there is none."""

    views: list[ViewOut]
    error: str
