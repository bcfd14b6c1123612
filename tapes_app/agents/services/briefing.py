"""What an agent gets to know about a stored tape before it reads it (docs/adr/0014)."""

from uuid import UUID

from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.prompts.briefing import Briefing, RecordedPrompt
from tapes_app.engine.tape.tape import Tape
from tapes_app.tapes.store.kind_families import load_assigned_families
from tapes_app.tapes.store.last_prompt import find_last_prompt
from tapes_app.tapes.store.loading import load_part


def brief_agent(agent: Agent, tape: Tape, tape_id: UUID, project: UUID) -> Agent:
    """Return the agent briefed with assigned families and the prompt of the tape's last call.

    Only an agent that reads whole tapes uses that prompt; its own calls do not count.
    """
    recorded = RecordedPrompt()
    if agent.reads_whole_tape:
        recorded = _load_recorded(agent.name, tape, tape_id, project)
    return agent.with_briefing(
        Briefing(families=load_assigned_families(project), recorded=recorded)
    )


def _load_recorded(reader: str, tape: Tape, tape_id: UUID, project: UUID) -> RecordedPrompt:
    found = find_last_prompt(tape_id, project, not_of=reader)
    if found is None:
        return RecordedPrompt()
    is_here = found.tape_id == tape_id
    steps = tape.steps if is_here else load_part(found.tape_id, project, end=found.position)
    return RecordedPrompt.of(found.prompt, steps[: found.position])
