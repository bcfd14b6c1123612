"""Batches of tapes with tasks and outcomes, for tests of comparing them."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from tapes_app.engine.tape.steps import Step, parse_step
from tapes_app.engine.tape.tape import Tape, TapeMetadata
from tapes_app.tapes.store.batches import ensure_batch
from tapes_app.tapes.store.saving import save_tape


def steps_of(question: str, *said: str) -> tuple[Step, ...]:
    """Return a question, a thought for each word of `said`, and an answer that is the last."""
    thoughts = [
        {"kind": "reasoning_thought", "content": text, "metadata": {"agent": "bot", "node": text}}
        for text in said[:-1]
    ]
    bodies: list[dict[str, Any]] = [
        {"kind": "user", "content": question},
        *thoughts,
        {"kind": "assistant", "content": said[-1], "metadata": {"agent": "bot", "node": "answer"}},
    ]
    return tuple(map(parse_step, bodies))


def store_tape(
    project: UUID, batch: UUID, question: str, said: Sequence[str], **metadata: Any
) -> UUID:
    tape = Tape(
        metadata=TapeMetadata.model_validate({"author": "bot", **metadata}),
        steps=steps_of(question, *said),
    )
    return save_tape(project, tape, batch=batch)


def store_batch(project: UUID, name: str, answers: Mapping[str, Sequence[str]]) -> UUID:
    """Store a batch with a tape for each task; the expected answer of each is "yes"."""
    batch = ensure_batch(project, name)
    for task, said in answers.items():
        store_tape(project, batch.id, f"Is it {task}?", said, task=task, expected="yes")
    return batch.id
