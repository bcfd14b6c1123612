"""The prompt that a draft makes at a place on a tape, compared with the recorded one."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from pydantic import ValidationError

from tapes_app.agents.services.agents import build_prompting_agent
from tapes_app.agents.services.briefing import brief_agent
from tapes_app.agents.store import agents
from tapes_app.authoring.domain.agent_graph import point_to
from tapes_app.authoring.domain.node_problems import list_misfits
from tapes_app.authoring.domain.spec_size import check_size
from tapes_app.authoring.services.draft_places import find_run
from tapes_app.authoring.services.drafts import refuse_errors
from tapes_app.authoring.store import drafts
from tapes_app.calls.services.prompt_changes import MessageChange, diff_messages
from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.node_code import make_prompt, select_on
from tapes_app.engine.agent.node_runs import NodeRun
from tapes_app.engine.agent.selection import Selection
from tapes_app.engine.agent.spec import AgentSpec
from tapes_app.engine.errors import NodeNotFoundError
from tapes_app.engine.model.llm import Prompt
from tapes_app.engine.tape.field_diff import count_equal_start
from tapes_app.engine.tape.lanes import find_lane
from tapes_app.engine.tape.tape import Tape
from tapes_app.projects.services.people import Person
from tapes_app.tapes.services.tapes import load_step
from tapes_app.tapes.store import calls
from tapes_app.tapes.store.loading import load_tape


@dataclass(frozen=True)
class DraftPrompt:
    """A prompt of a draft, which nobody has sent."""

    node: str
    """JSON pointer to the node that makes it."""

    node_name: str
    messages: list[dict[str, Any]]
    """Empty if the node asks no model here."""

    tools: list[dict[str, Any]]
    recorded_call_id: UUID | None
    """The call of the step; `None`: no model was asked for it, so there is nothing to compare."""

    changes: list[MessageChange]
    """From the recorded messages to these."""

    has_other_tools: bool


def render_prompt(
    person: Person,
    agent_id: UUID,
    tape_id: UUID,
    position: int,
    *,
    spec: dict[str, Any] | None = None,
) -> DraftPrompt:
    """Return the prompt that a draft makes for the node run that wrote a step.

    On a tape that another agent wrote, it is the prompt of the node that would act there. `spec` is
    rendered instead of the stored draft. It may still contain errors, as long as an agent can be
    built from it.

    Raises:
        DraftInvalidError, AgentConfigError: no agent can be built from the draft.
        NodeNotFoundError, AgentNotFoundError: it does not have that node or subagent any more.
        NoNodeRunError: no agent wrote the step.
    """
    project = person.project_id
    agent = build_prompting_agent(project, _read(person, agent_id, spec))
    run = find_run(person, tape_id, position)
    tape = load_tape(tape_id, project)
    agent = brief_agent(agent, tape, tape_id, project)
    lane, start = find_lane(tape, run.start)
    before = lane.tape.fork(start)
    selection = _select(agent, before, run)
    prompt = make_prompt(selection, before, prompt_id=run.prompt_id)
    call_id = load_step(person, tape_id, position).call_id
    recorded = calls.load_call(call_id, project).call.prompt if call_id is not None else None
    return DraftPrompt(
        node=_place_of(agent, selection),
        node_name=selection.node.name,
        messages=[dict(message) for message in prompt.messages],
        tools=list(prompt.tools or ()),
        recorded_call_id=call_id,
        changes=_compare(recorded, prompt) if recorded is not None else [],
        has_other_tools=recorded is not None and (recorded.tools or ()) != (prompt.tools or ()),
    )


def _read(person: Person, agent_id: UUID, spec: dict[str, Any] | None) -> AgentSpec:
    agent = agents.load_agent(agent_id, person.project_id)
    if spec is None:
        stored = drafts.load_draft(agent_id, person.project_id)
        if stored is None or stored.spec is None:
            return agents.load_version(agent.latest_version_id, person.project_id).spec
        spec = stored.spec
    else:
        check_size(spec)
    try:
        return AgentSpec.model_validate(spec)
    except ValidationError as error:
        refuse_errors(tuple(list_misfits(error, spec, "")))
        raise


def _select(agent: Agent, before: Tape, run: NodeRun) -> Selection:
    """Return the node that made the run, or on the tape of another team, who would act."""
    writer, _, below = run.agent.partition("/")
    if writer != agent.name or not run.node or agent.reads_whole_tape:
        return select_on(agent, before)
    member = agent.find_subagent(below)
    node = member.find_node(run.node)
    if node is None:
        raise NodeNotFoundError(
            f"Node {run.node!r} wrote this step, but the draft's agent {member.name!r} has no such "
            "node any more; choose a step of another node.",
            agent=member.name,
            node=run.node,
        )
    return Selection(member, run.agent, node)


def _place_of(agent: Agent, selection: Selection) -> str:
    pointer = ""
    for name in selection.path.split("/")[1:]:
        names = [member.name for member in agent.subagents]
        pointer = point_to(pointer, "subagents", names.index(name))
        agent = agent.subagents[names.index(name)]
    names = [node.name for node in selection.agent.nodes]
    return point_to(pointer, "nodes", names.index(selection.node.name))


def _compare(recorded: Prompt, prompt: Prompt) -> list[MessageChange]:
    shared = count_equal_start(
        (message.digest for message in recorded.messages),
        (message.digest for message in prompt.messages),
    )
    rest = recorded.messages[shared:], prompt.messages[shared:]
    return list(diff_messages(*rest, shared=shared))
