"""The training text behind a step: what a model would learn from this node run, or why not."""

import asyncio
from dataclasses import dataclass
from uuid import UUID

from tapes_app.agents.services.agents import build_replay_agent
from tapes_app.agents.services.briefing import brief_agent
from tapes_app.calls.services.calls import require_call
from tapes_app.engine.agent.training_text import TrainingText, make_node_training_text
from tapes_app.engine.errors import StudioError
from tapes_app.projects.services.people import Person
from tapes_app.tapes.store import headers, loading


@dataclass(frozen=True)
class TrainingTextDetail:
    """What is read and what is learnt; `reason` states why nothing can be."""

    prompt_text: str
    output_text: str
    reason: str


def load_training_text(person: Person, tape_id: UUID, call_id: UUID) -> TrainingTextDetail:
    """Return the training text of a call, rebuilt by the agent that wrote the tape.

    Raises:
        NotFoundError: the tape has no step from such a call.
    """
    positions = require_call(person, tape_id, call_id)
    header = headers.load_header(tape_id, person.project_id)
    if header.agent_version_id is None:
        return _refused(
            "The agent that wrote this tape was not recorded, so its prompts cannot be rebuilt."
        )
    try:
        made = _make(person, tape_id, header.agent_version_id, positions[0])
    except StudioError as error:
        return _refused(error.message)
    return TrainingTextDetail(made.prompt_text, made.output_text, "")


def _make(person: Person, tape_id: UUID, version_id: UUID, start: int) -> TrainingText:
    agent = build_replay_agent(person.project_id, version_id, tape_id)
    tape = loading.load_tape(tape_id, person.project_id)
    agent = brief_agent(agent, tape, tape_id, person.project_id)
    return asyncio.run(make_node_training_text(agent, tape, start))


def _refused(reason: str) -> TrainingTextDetail:
    return TrainingTextDetail("", "", reason)
