"""Examples from the LLM calls of a tape."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID

from optimize_app.training_sets.samples import ChatExample
from tapes_app.engine.llm import LLMCall
from tapes_app.engine.steps import Step, family_of

PERSON_CHANGED = "A person changed what the call led to."
CALL_FAILED = "The call failed or was cut short."


def list_recorded(
    tape_id: UUID, steps: Sequence[Step], calls: Sequence[tuple[UUID, LLMCall]]
) -> Iterator[ChatExample | str]:
    """Give an example for each recorded call that led to steps of the tape, or why there is none.

    Steps that a person wrote belong to no call. Where such a step stands in the middle of what a
    call led to, the call is left out: its answer is not what the person wants.
    """
    by_prompt = {call.prompt.id: (call_id, call) for call_id, call in calls}
    for start, end in _node_runs(steps):
        found = by_prompt.get(steps[start].metadata.prompt_id)
        if found is None:
            continue
        call_id, call = found
        if call.error or not (call.output.content or call.output.tool_calls):
            yield CALL_FAILED
        elif end < len(steps) and _is_of_person(steps[end]):
            yield PERSON_CHANGED
        else:
            yield make_example(call, name=str(call_id), tape_id=tape_id, position=start)


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


def _node_runs(steps: Sequence[Step]) -> Iterator[tuple[int, int]]:
    start = 0
    while start < len(steps):
        prompt_id = steps[start].metadata.prompt_id
        end = start + 1
        while prompt_id and end < len(steps) and steps[end].metadata.prompt_id == prompt_id:
            end += 1
        yield start, end
        start = end


def _is_of_person(step: Step) -> bool:
    return family_of(step) != "observation" and not step.metadata.prompt_id
