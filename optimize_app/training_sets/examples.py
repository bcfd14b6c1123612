"""Examples from the LLM calls of a tape."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID

from optimize_app.training_sets.samples import ChatExample
from tapes_app.engine.llm import LLMCall
from tapes_app.tapes.rows import OutlineRow

PERSON_CHANGED = "A person changed what the call led to."
CALL_FAILED = "The call failed or was cut short."


def list_recorded(
    tape_id: UUID, steps: Sequence[OutlineRow], calls: Mapping[UUID, LLMCall]
) -> Iterator[ChatExample | str]:
    """Give an example for each recorded call that led to steps of the tape, or why there is none.

    Where a person wrote over a step that a call led to, the call is left out: its answer is not
    what the person wants.
    """
    changed = {step.prompt_id for step in steps if step.writer == "person" and step.prompt_id}
    seen: set[UUID] = set()
    for step in steps:
        call_id = step.call_id
        if call_id is None or call_id in seen or call_id not in calls:
            continue
        seen.add(call_id)
        call = calls[call_id]
        if step.prompt_id in changed:
            yield PERSON_CHANGED
        elif call.error or not (call.output.content or call.output.tool_calls):
            yield CALL_FAILED
        else:
            yield make_example(call, name=str(call_id), tape_id=tape_id, position=step.position)


def make_example(call: LLMCall, *, name: str, tape_id: UUID, position: int) -> ChatExample:
    """Return a call as an example; it remembers the tape and the step that it led to."""
    answer: dict[str, Any] = {"role": "assistant", "content": call.output.content or ""}
    if call.output.tool_calls:
        answer["tool_calls"] = list(call.output.tool_calls)
    return ChatExample(
        id=name,
        origin={"tape": str(tape_id), "step": position},
        messages=tuple(dict(message) for message in call.prompt.messages),
        tools=call.prompt.tools or (),
        answer=answer,
    )


def digest_example(example: ChatExample) -> bytes:
    """Return what two examples have in common that teach the same."""
    taught = [example.messages, example.tools, example.answer]
    return hashlib.sha256(json.dumps(taught, sort_keys=True).encode()).digest()
