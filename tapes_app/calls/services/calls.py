"""The LLM call behind a step: exact prompt and output, what is new in it, what it cost."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from tapes_app.agents.domain.rows import ModelRow
from tapes_app.agents.store import llm_models
from tapes_app.engine.errors import NotFoundError
from tapes_app.engine.model.llm import CallTokens, Prompt, Usage
from tapes_app.engine.model.messages import Message
from tapes_app.engine.model.prompt_length import SHORTENED
from tapes_app.projects.domain.rows import row_of
from tapes_app.projects.domain.wording import count_of
from tapes_app.projects.services.people import Person
from tapes_app.tapes.services.tapes import load_step
from tapes_app.tapes.store import call_sums, calls
from tapes_app.tapes.store.call_sums import CallSums
from tapes_app.tapes.store.call_tokens import load_tokens
from tapes_app.tapes.store.calls import CallRow

_MILLION = 1_000_000
PAGE_OF_MESSAGES = 100
_PAGE_CHARACTERS = 150_000
_FRAME = 100
"""Approximate number of characters of a message besides its text."""


@dataclass(frozen=True)
class PriceLine:
    """One class of tokens: how many, their price per million in micro US dollars, their cost."""

    name: str
    tokens: int | None
    price: int | None
    cost_micro_usd: int | None


@dataclass(frozen=True)
class CallDetail:
    id: UUID
    prompt_id: str
    model_name: str
    llm: dict[str, Any]
    messages: list[dict[str, Any]]
    """The messages from `first_message` on; a long prompt is read in pages."""

    first_message: int
    message_count: int
    tools: list[dict[str, Any]] | None
    response_format: dict[str, Any] | None
    left_out: str
    """A sentence on what the agent left out of the prompt so that it fits; empty: nothing."""

    chosen: dict[str, Any]
    """The node's choices that override the LLM's parameters: sampling, and the tool choice."""

    output: dict[str, Any]
    usage: Usage
    tokens: dict[str, Any] | None  # `CallTokens` without its masks, if they were recorded

    price_lines: list[PriceLine]
    cost_micro_usd: int | None
    started_at: datetime | None
    duration_seconds: float | None
    first_token_seconds: float | None
    finish_reason: str
    is_cached: bool
    error: str
    previous_call_id: UUID | None
    previous_message_count: int
    shared_message_count: int


@dataclass(frozen=True)
class MessagePage:
    messages: tuple[dict[str, Any], ...]
    first_message: int
    message_count: int


def load_call_of_step(person: Person, tape_id: UUID, position: int) -> CallDetail:
    """Return the call that produced a step.

    Raises:
        NotFoundError: no such step, or no model was asked for it.
    """
    call_id = load_step(person, tape_id, position).call_id
    if call_id is None:
        raise NotFoundError(f"No recorded LLM call produced step {position}.", position=position)
    return _show(person, tape_id, call_id)


def load_call(person: Person, tape_id: UUID, call_id: UUID) -> CallDetail:
    """Return a call by its id: one behind a step of the tape, or one made for it and cut off.

    Raises:
        NotFoundError: the tape has no such call.
    """
    require_known_call(person, tape_id, call_id)
    return _show(person, tape_id, call_id)


def require_known_call(person: Person, tape_id: UUID, call_id: UUID) -> None:
    """Raise `NotFoundError` if a call does not belong to a tape.

    A tape's calls are those behind its steps and those that were made for it: a call that was cut
    off left no step, and its result is still worth reading.
    """
    if not calls.was_made_for(call_id, tape_id, person.project_id):
        require_call(person, tape_id, call_id)


def require_call(person: Person, tape_id: UUID, call_id: UUID) -> list[int]:
    """Return the positions of the steps of a tape that came from a call.

    Raises:
        NotFoundError: the tape has no step from such a call.
    """
    positions = call_sums.positions_of_call(call_id, tape_id, person.project_id)
    if not positions:
        raise NotFoundError("No step of this tape came from this call.", call_id=str(call_id))
    return positions


@dataclass(frozen=True)
class CallTotals:
    """What the calls up to a step took: its agent's calls, and all calls of the tape."""

    agent_name: str
    agent: CallSums
    tape: CallSums


def load_totals(person: Person, tape_id: UUID, position: int) -> CallTotals:
    """Return what the calls up to and including a step took.

    Raises:
        NotFoundError: no such step.
    """
    project = person.project_id
    agent = load_step(person, tape_id, position).agent
    return CallTotals(
        agent_name=agent,
        agent=call_sums.sum_calls_until(tape_id, project, position, agent=agent),
        tape=call_sums.sum_calls_until(tape_id, project, position),
    )


def load_messages(
    person: Person, tape_id: UUID, call_id: UUID, *, start: int, count: int
) -> MessagePage:
    """Return a range of messages of a prompt.

    Raises:
        NotFoundError: the tape has no such call.
    """
    require_known_call(person, tape_id, call_id)
    row, first, total = calls.load_call_window(call_id, person.project_id, start=start, count=count)
    messages = tuple(dict(message) for message in row.call.prompt.messages)
    return MessagePage(messages, first, total)


def _show(person: Person, tape_id: UUID, call_id: UUID) -> CallDetail:
    project = person.project_id
    row, _, total = calls.load_call_window(call_id, project, count=PAGE_OF_MESSAGES)
    previous_id = calls.previous_call(call_id, tape_id, project)
    shared, previous_count = (
        calls.count_shared_messages(call_id, previous_id, project)
        if previous_id is not None
        else (0, 0)
    )
    call = row.call
    messages = _fit(call.prompt.messages)
    return row_of(
        CallDetail,
        call,
        id=row.id,
        prompt_id=call.prompt.id,
        model_name=row.model_name,
        messages=messages,
        first_message=total - len(messages),
        message_count=total,
        tools=list(call.prompt.tools) if call.prompt.tools is not None else None,
        response_format=call.prompt.response_format,
        left_out=_describe_left_out(call.prompt),
        chosen=list_choices(call.prompt),
        tokens=_show_tokens(load_tokens([row.id]).get(row.id)),
        output=call.output.model_dump(mode="python"),
        price_lines=price_usage(call.usage, find_model_of(row, project)),
        previous_call_id=previous_id,
        previous_message_count=previous_count,
        shared_message_count=shared,
    )


def _describe_left_out(prompt: Prompt) -> str:
    match (prompt.model_extra or {}).get(SHORTENED):
        case {"messages": int(count), "characters": int(characters)}:
            return (
                f"{count_of(count, 'old observation')} shortened by {characters:,} characters, so "
                "that the prompt fits the model."
            )
        case _:
            return ""


def list_choices(prompt: Prompt) -> dict[str, Any]:
    """Return the node's choices besides the prompt's messages, as parameters of a request."""
    choice = {"tool_choice": prompt.tool_choice} if prompt.tool_choice else {}
    return {**(prompt.sampling or {}), **choice}


def _fit(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Return the last messages that fit on a page together; at least one."""
    kept: list[dict[str, Any]] = []
    size = 0
    for message in reversed(messages):
        size += len(message.text) + len(str(message.get("reasoning_content", ""))) + _FRAME
        if kept and size > _PAGE_CHARACTERS:
            break
        kept.append(dict(message))
    return kept[::-1]


def price_usage(usage: Usage, model: ModelRow | None) -> list[PriceLine]:
    """Return the tokens of a call by price class, at the prices that the model has today.

    The classes do not overlap. Cached tokens are separate lines, because they do not cost the full
    price. Reasoning is part of the model's output and costs the same.
    """
    cached = (usage.cache_read_tokens or 0) + (usage.cache_write_tokens or 0)
    fresh = None if usage.input_tokens is None else max(usage.input_tokens - cached, 0)
    written = usage.output_tokens
    reasoning = usage.reasoning_tokens
    if written is not None and reasoning is not None:
        reasoning = min(reasoning, written)
        written -= reasoning
    lines = (
        ("Input", fresh, model.input_price if model else None),
        ("Cache read", usage.cache_read_tokens, model.cache_read_price if model else None),
        ("Cache write", usage.cache_write_tokens, model.cache_write_price if model else None),
        ("Reasoning", reasoning, model.output_price if model else None),
        ("Output", written, model.output_price if model else None),
    )
    return [PriceLine(name, tokens, price, _cost(tokens, price)) for name, tokens, price in lines]


def _cost(tokens: int | None, price: int | None) -> int | None:
    if tokens is None or (price is None and tokens):
        return None
    return (tokens * (price or 0) + _MILLION // 2) // _MILLION


def find_model_of(row: CallRow, project_id: UUID) -> ModelRow | None:
    """Return the project's model that a call asked, by its name or its litellm name."""
    models: Sequence[ModelRow] = llm_models.list_models(project_id)
    name = row.call.llm.get("name")
    by_name = next((model for model in models if model.name == name), None)
    by_id = next((model for model in models if model.litellm_model == row.model_name), None)
    return by_name or by_id


def _show_tokens(tokens: CallTokens | None) -> dict[str, Any] | None:
    """Return the tokens without their masks, which only trainers read, from exports."""
    if tokens is None:
        return None
    return {name: value for name, value in tokens.to_json().items() if name != "masks"}
