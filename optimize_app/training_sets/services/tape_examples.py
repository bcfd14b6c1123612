"""The examples of a stored tape: from its recorded calls, or made anew by its agent."""

import asyncio
from collections.abc import Iterator
from typing import Literal
from uuid import UUID

from optimize_app.training_sets.examples import list_recorded, make_example
from optimize_app.training_sets.samples import ChatExample
from tapes_app.agents.services.agents import build_replay_agent
from tapes_app.engine.errors import TrainingTextError
from tapes_app.engine.reuse import reuse_tape
from tapes_app.tapes.rows import TapeRow
from tapes_app.tapes.store.calls import list_calls
from tapes_app.tapes.store.headers import load_header, load_outline
from tapes_app.tapes.store.loading import load_beginning, load_tape


def find_task(project: UUID, row: TapeRow) -> str:
    """Return what a tape is an attempt at: its task, or what its first step says."""
    if row.task:
        return f"task {row.task}"
    first = load_beginning(row.id, project, 1)
    return f"begins {first[0].content_dict()}" if first else f"tape {row.id}"


def list_examples(
    project: UUID, tape_id: UUID, source: Literal["recorded", "rebuilt"]
) -> Iterator[ChatExample | str]:
    """Give the examples of a tape, or why a call gives none.

    Raises:
        TrainingTextError: the tape has no agent here to rebuild its calls.
        ReuseError: its agent would not write the tape again; the message names the step.
    """
    if source == "recorded":
        calls = {row.id: row.call for row in list_calls(tape_id, project)}
        return list_recorded(tape_id, load_outline(tape_id, project), calls)
    tape = load_tape(tape_id, project)
    version = load_header(tape_id, project).agent_version_id
    if version is None:
        raise TrainingTextError("Its agent is not in this project, so calls cannot be rebuilt.")
    reused = asyncio.run(reuse_tape(build_replay_agent(project, version), tape))
    positions = {
        step.metadata.prompt_id: position
        for position, step in reversed(list(enumerate(reused.tape.steps)))
    }
    return (
        make_example(
            call,
            name=f"{tape_id}/{positions[call.prompt.id]}",
            tape_id=tape_id,
            position=positions[call.prompt.id],
        )
        for call in reused.calls
    )
