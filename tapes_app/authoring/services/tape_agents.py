"""A new agent from a stored tape, such as an imported one."""

from uuid import UUID

from tapes_app.agents.services.agents import AgentDetail, check_spec, open_agent
from tapes_app.agents.store import agents
from tapes_app.authoring.domain.agent_from_tape import build_from_tape
from tapes_app.authoring.services.usual_models import list_usual_models
from tapes_app.engine.prompts.briefing import RecordedPrompt
from tapes_app.gallery.continuation.agent import NAME as CONTINUATION
from tapes_app.gallery.continuation.transcript import make_tools
from tapes_app.projects.services.people import Person
from tapes_app.tapes.store.last_prompt import find_last_prompt
from tapes_app.tapes.store.loading import load_tape


def add_agent(person: Person, tape_id: UUID, name: str) -> AgentDetail:
    """Add an agent with the instruction, the tools and the kinds of steps of a tape.

    The note of its version names what is missing here. Its model is the project's only one, or else
    the stand-in until somebody chooses one.

    Raises:
        NotFoundError: no such tape in the project.
        AgentConfigError: the name cannot be that of an agent.
        ConflictError: the project already has an agent of that name.
    """
    project = person.project_id
    tape = load_tape(tape_id, project)
    last = find_last_prompt(tape_id, project, not_of=CONTINUATION)
    sent = last.prompt.messages if last is not None else ()
    recorded = RecordedPrompt(tools=tuple(last.prompt.tools or ()) if last is not None else ())
    model = list_usual_models(project).usual
    made = build_from_tape(name, tape, make_tools(tape, recorded), sent, model)
    check_spec(project, made.spec)
    note = f"From tape {tape_id}. {made.missing}".strip()
    row = agents.create_agent(project, made.spec, owner=person.user_id, note=note)
    return open_agent(person, row.agent_id)
