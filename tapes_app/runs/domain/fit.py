"""Whether an agent can continue from the current state of a tape, decided from views only."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.selection import Selection, select
from tapes_app.engine.environment.actions import PendingAction, is_finished, unfulfilled_actions
from tapes_app.engine.errors import AgentNotFoundError, NodeNotFoundError
from tapes_app.engine.tape.steps import Step, UnknownStep, family_of
from tapes_app.engine.tape.tape import Tape
from tapes_app.engine.tape.view import TapeView, ViewStack

Missing = Literal["subagent", "node", "kind"]


@dataclass(frozen=True, slots=True)
class Misfit:
    """Something that the agent would need to continue, but lacks."""

    missing: Missing
    name: str
    """The subagent's path, the node's name, or the kind of the pending action."""

    message: str


@dataclass(frozen=True)
class Standing:
    """The current state of a tape: who is active, and what the last turn left open."""

    stack: ViewStack
    last_turn: Tape
    """The steps since the observation before the last turn; positions count from its start. All
    steps where agents called together are at work: each has a turn of its own."""

    @cached_property
    def open_actions(self) -> list[PendingAction]:
        return unfulfilled_actions(self.last_turn)

    @property
    def is_finished(self) -> bool:
        return is_finished(self.last_turn)

    @property
    def root_name(self) -> str:
        """Name of the team that wrote the tape; empty if none did."""
        writers = [view.last_agent for view in self.stack.views if view.last_agent]
        return writers[0].partition("/")[0] if writers else ""


def stand(steps: Sequence[Step]) -> Standing:
    """Return the state of a tape with these steps.

    Raises:
        DelegationError: the delegation on the tape cannot be followed.
    """
    stack = ViewStack.compute(steps)
    start = turn_start([family_of(step) == "observation" for step in steps])
    return Standing(stack, Tape(steps=tuple(steps[0 if stack.lanes else start :])))


def turn_start(is_observation: Sequence[bool]) -> int:
    """Return where the last turn begins: after the observation before it."""
    start = len(is_observation)
    while start and is_observation[start - 1]:
        start -= 1
    while start and not is_observation[start - 1]:
        start -= 1
    return start


def find_misfits(
    agent: Agent, standing: Standing, *, answers_anything: bool = False
) -> tuple[Misfit, ...]:
    """Return why the agent cannot continue; empty if it can.

    `answers_anything` is whether its environment answers every action, so that none stays
    unanswered.
    """
    open_actions = standing.open_actions
    found = () if answers_anything else _find_unknown_actions(open_actions)
    if standing.is_finished and not open_actions:
        return found  # no agent is active any more
    missing = (
        misfit
        for stack in standing.stack.active
        for misfit in _find_missing_frames(agent, stack, is_foreign=is_foreign(agent, standing))
    )
    return (*found, *dict.fromkeys(missing))


def next_selection(agent: Agent, standing: Standing) -> Selection | None:
    """Return who acts next, or `None` if nobody can; of agents called together, the first."""
    try:
        return next((select(agent, stack) for stack in standing.stack.active), None)
    except (AgentNotFoundError, NodeNotFoundError):
        return None


def is_foreign(agent: Agent, standing: Standing) -> bool:
    """Return whether another team wrote the tape, so that the agent begins at its first node."""
    return standing.root_name not in ("", agent.name)


def _find_unknown_actions(open_actions: Sequence[PendingAction]) -> tuple[Misfit, ...]:
    # A person answers those of a kind that an agent defined.
    kinds = [
        item.action.kind
        for item in open_actions
        if isinstance(item.action, UnknownStep) and item.action.declared_family is None
    ]
    return tuple(
        Misfit(
            "kind",
            kind,
            f"The last turn calls {kind!r}, which no environment here can answer. Cut the tape "
            "before it, or answer it yourself.",
        )
        for kind in dict.fromkeys(kinds)
    )


def _find_missing_frames(agent: Agent, stack: ViewStack, *, is_foreign: bool) -> tuple[Misfit, ...]:
    """Check the active member, and the members that continue after it responds."""
    try:
        select(agent, stack)
    except AgentNotFoundError as error:
        path = stack.top.agent_path
        return (Misfit("subagent", str(error.details.get("subagent", path)), error.message),)
    except NodeNotFoundError as error:
        return (Misfit("node", str(error.details.get("node", "")), error.message),)
    if agent.reads_whole_tape or is_foreign:
        return ()
    return tuple(
        misfit for view in stack.views[:-1] if (misfit := _check_caller(agent, view)) is not None
    )


def _check_caller(agent: Agent, view: TapeView) -> Misfit | None:
    member = agent.find_subagent(view.agent_path)
    if not view.last_node or member.find_node(view.last_node) is not None:
        return None
    known = [node.name for node in member.nodes]
    return Misfit(
        "node",
        view.last_node,
        f"Agent {member.name!r} stopped at node {view.last_node!r}, which this version does not "
        f"have; available: {known}.",
    )


def team_parts(agent: Agent) -> frozenset[str]:
    """Return the names by which teams are compared: the root, the members and their nodes."""
    parts = {f"team {agent.name}"}
    for path, member in agent.walk():
        below = path.partition("/")[2]
        if below:
            parts.add(f"agent {below}")
        parts.update(f"node {below}.{node.name}" for node in member.nodes)
    return frozenset(parts)


def tape_parts(writers: Iterable[tuple[str, str]]) -> frozenset[str]:
    """Return the corresponding names for the agents and nodes that wrote on a tape."""
    parts: set[str] = set()
    for agent, node in writers:
        if not agent:
            continue
        root, _, below = agent.partition("/")
        parts.add(f"team {root}")
        if below:
            parts.add(f"agent {below}")
        if node:
            parts.add(f"node {below}.{node}")
    return frozenset(parts)


def overlap(wanted: frozenset[str], offered: frozenset[str]) -> float:
    """Return how similar two teams are, from 0 to 1."""
    return len(wanted & offered) / len(wanted | offered) if wanted and offered else 0.0
