"""Examples as lines that other trainers read, and what each format cannot hold."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from optimize_app.training_sets.samples import (
    ChatExample,
    PreferencePair,
    Sample,
    Sequence,
    TokenExample,
)
from tapes_app.engine.model.reasoning import REASONING
from tapes_app.interchange.lost_parts import THOUGHTS, LostPart, list_lost_parts

SetFormat = Literal["examples", "trl", "openai"]


@dataclass(frozen=True, slots=True)
class Holding:
    """The facts about an example that decide what a format can hold of it."""

    is_recorded: bool
    call_count: int
    weight: float | None
    """Weight of an attempt in a group; `None`: 1."""

    has_reasoning: bool


RECORDED = "Recorded tokens and log-probabilities: only their text is in the file."
EARLIER = "Earlier answers of calls in one sequence: they are read, the last one is learnt."
UNLEARNT = "Examples that are unlearnt: they are left out."
WEIGHTS = "Weights: each example counts alike."


def list_lost(file_format: SetFormat, examples: Iterable[Holding]) -> list[LostPart]:
    """Return what a format loses of examples."""
    if file_format == "examples":
        return []
    found = list(examples)
    counts = {
        RECORDED: sum(one.is_recorded for one in found),
        EARLIER: sum(one.call_count > 1 for one in found),
        UNLEARNT: sum(one.weight is not None and one.weight < 0 for one in found),
        WEIGHTS: sum(one.weight not in (None, 1) and (one.weight or 0) > 0 for one in found),
    }
    if file_format == "openai":
        counts[THOUGHTS] = sum(one.has_reasoning for one in found)
    return list_lost_parts(counts)


def write_line(file_format: SetFormat, sample: Sample) -> dict[str, Any] | None:
    """Return an example in a format; `None`: the format cannot hold it."""
    if file_format == "examples":
        return sample.model_dump(mode="json")
    if isinstance(sample, PreferencePair):
        chosen, rejected = _as_chat(sample.chosen), _as_chat(sample.rejected)
        return _write_pair(file_format, chosen, rejected) if chosen and rejected else None
    chat = _as_chat(sample)
    return _write_chat(file_format, chat) if chat is not None and chat.weight > 0 else None


def _as_chat(sequence: Sequence) -> ChatExample | None:
    """Return a sequence as text; a single unlearnt token of an answer makes all of it unlearnt."""
    if isinstance(sequence, TokenExample) and sequence.chat is not None:
        is_unlearnt = any(weight < 0 for weight in sequence.weights)
        return sequence.chat.model_copy(update={"weight": -1.0 if is_unlearnt else 1.0})
    return sequence if isinstance(sequence, ChatExample) else None


def _write_chat(file_format: SetFormat, chat: ChatExample) -> dict[str, Any]:
    answer = {**chat.answer, "role": "assistant"}
    tools = {"tools": list(chat.tools)} if chat.tools else {}
    if file_format == "trl":
        return {"prompt": list(chat.messages), "completion": [answer], **tools}
    return {"messages": _leave_out_thoughts(*chat.messages, answer), **tools}


def _write_pair(
    file_format: SetFormat, chosen: ChatExample, rejected: ChatExample
) -> dict[str, Any]:
    better = {**chosen.answer, "role": "assistant"}
    worse = {**rejected.answer, "role": "assistant"}
    tools = {"tools": list(chosen.tools)} if chosen.tools else {}
    if file_format == "trl":
        prompt = list(chosen.messages)
        return {"prompt": prompt, "chosen": [better], "rejected": [worse], **tools}
    return {
        "input": {"messages": _leave_out_thoughts(*chosen.messages), **tools},
        "preferred_output": _leave_out_thoughts(better),
        "non_preferred_output": _leave_out_thoughts(worse),
    }


def _leave_out_thoughts(*messages: dict[str, Any]) -> list[dict[str, Any]]:
    """Return messages without the fields that this format's reader refuses."""
    return [
        {name: value for name, value in message.items() if name not in REASONING}
        for message in messages
    ]
