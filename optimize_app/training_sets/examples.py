"""Examples from the LLM calls of a tape."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal
from uuid import UUID

from optimize_app.training_sets import recorded_tokens
from optimize_app.training_sets.rewards import GROUP
from optimize_app.training_sets.samples import ChatExample, PreferencePair, Sample, TokenExample
from tapes_app.engine.model.llm import LLMCall
from tapes_app.engine.model.reasoning import TEXT, read_thoughts, reasoning_of
from tapes_app.engine.prompts.chat_messages import fill_arguments
from tapes_app.tapes.domain.rows import OutlineRow

PERSON_CHANGED = "A person changed what the call led to."
CALL_FAILED = "The call failed or was cut short."


def list_recorded(
    tape_id: UUID,
    steps: Sequence[OutlineRow],
    calls: Mapping[UUID, LLMCall],
    kept: Mapping[int, str],
) -> Iterator[ChatExample | str]:
    """Yield an example for each recorded call that led to steps of the tape, or why there is none.

    If a person overwrote a step that a call led to, the call is left out: its answer is not what
    the person wants. `kept`: why steps are not learnt, by position; one such step is enough.
    """
    changed = {step.prompt_id for step in steps if step.writer == "person" and step.prompt_id}
    kept_calls = {step.call_id: kept[step.position] for step in steps if step.position in kept}
    seen: set[UUID] = set()
    for step in steps:
        call_id = step.call_id
        if call_id is None or call_id in seen or call_id not in calls:
            continue
        if step.family == "observation":  # a model emulated the tool; the agent did not write it
            continue
        seen.add(call_id)
        call = calls[call_id]
        if step.prompt_id in changed:
            yield PERSON_CHANGED
        elif call_id in kept_calls:
            yield kept_calls[call_id]
        elif call.error or not (call.output.content or call.output.tool_calls):
            yield CALL_FAILED
        else:
            origin = Origin(tape_id, step.position, "model")
            yield make_example(call, name=str(call_id), origin=origin)


@dataclass(frozen=True, slots=True)
class Origin:
    """Where an answer comes from: the step of a tape at which it starts, and who wrote it."""

    tape_id: UUID
    position: int
    writer: Literal["person", "model", "teacher"]

    def as_json(self) -> dict[str, Any]:
        return {"tape": str(self.tape_id), "step": self.position, "writer": self.writer}


def make_example(call: LLMCall, *, name: str, origin: Origin) -> ChatExample:
    """Return a call as an example that records its tape and the step that it led to."""
    answer: dict[str, Any] = {"role": "assistant", "content": call.output.content or ""}
    if call.output.tool_calls:
        answer["tool_calls"] = list(call.output.tool_calls)
    if thoughts := read_thoughts(reasoning_of(call.output)):
        answer[TEXT] = thoughts
    return ChatExample(
        id=name,
        origin=origin.as_json(),
        messages=tuple(fill_arguments(message) for message in call.prompt.messages),
        tools=call.prompt.tools or (),
        answer=fill_arguments(answer),
    )


def learn_once(example: Sample, known: set[bytes]) -> Sample | None:
    """Return what of an example is not known yet, and remember it; `None` if nothing is new."""
    if GROUP in example.origin:
        # Identical attempts count as often as they were made.
        digest = example.id.encode()
    elif isinstance(example, TokenExample):
        new = recorded_tokens.learn_once(example, known)
        known.update(recorded_tokens.digest_runs(example))
        return new
    else:
        digest = _digest_example(example)
    if digest in known:
        return None
    known.add(digest)
    return example


def _digest_example(example: Sample) -> bytes:
    """Return the digest that two examples share if they teach the same."""
    match example:
        case PreferencePair():
            return b"".join(_digest_example(side) for side in (example.chosen, example.rejected))
        case ChatExample():
            return _digest([example.messages, example.tools, example.answer])
        case _:
            return _digest(example.model_dump(mode="json", exclude={"id", "origin"}))


def digest_prompt(example: ChatExample) -> bytes:
    """Return the digest that two examples share if they answer the same prompt."""
    return _digest([example.messages, example.tools])


def _digest(taught: Any) -> bytes:
    return hashlib.sha256(json.dumps(taught, sort_keys=True).encode()).digest()
