"""Whether an agent can continue from where a tape stands: decided from views alone."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from tapes_app.engine.agent import Agent
from tapes_app.engine.environment import PendingAction, is_finished, unfulfilled_actions
from tapes_app.engine.errors import AgentNotFoundError, NodeNotFoundError
from tapes_app.engine.selection import Selection, select
from tapes_app.engine.steps import Step, UnknownStep, family_of
from tapes_app.engine.tape import Tape
from tapes_app.engine.view import TapeView, ViewStack

Missing = Literal["subagent", "node", "kind"]


@dataclass(frozen=True, slots=True)
class Misfit:
    """One thing that the agent would need to continue, and does not have."""

    missing: Missing
    name: str
    """The subagent's path, the node's name, or the kind of the action that waits."""

    message: str


@dataclass(frozen=True)
class Standing:
    """Where a tape stands: who is active, and what the last turn left open."""

    stack: ViewStack
    last_turn: Tape
    """The steps since the observation before the last turn; positions count from its start."""

    @cached_property
    def open_actions(self) -> list[PendingAction]:
        return unfulfilled_actions(self.last_turn)

    @property
    def is_finished(self) -> bool:
        return is_finished(self.last_turn)

    @property
    def root_name(self) -> str:
        """Name of the team that wrote the tape; empty when none did."""
        writers = [view.last_agent for view in self.stack.views if view.last_agent]
        return writers[0].partition("/")[0] if writers else ""


def stand(steps: Sequence[Step]) -> Standing:
    """Return where a tape of these steps stands.

    Raises:
        DelegationError: its delegation cannot be followed.
    """
    return Standing(ViewStack.compute(steps), Tape(steps=tuple(steps[last_turn_start(steps) :])))


def last_turn_start(steps: Sequence[Step]) -> int:
    """Return where the last turn begins: behind the observation before it."""
    return turn_start([family_of(step) == "observation" for step in steps])


def turn_start(is_observation: Sequence[bool]) -> int:
    start = len(is_observation)
    while start and is_observation[start - 1]:
        start -= 1
    while start and not is_observation[start - 1]:
        start -= 1
    return start


def find_misfits(
    agent: Agent, standing: Standing, *, answers_anything: bool = False
) -> tuple[Misfit, ...]:
    """Return why the agent cannot continue; empty when it can.

    `answers_anything` says so of its environment: then no action is without an answer.
    """
    open_actions = standing.open_actions
    found = () if answers_anything else _find_unknown_actions(open_actions)
    if standing.is_finished and not open_actions:
        return found  # nobody acts any more
    return (*found, *_find_missing_frames(agent, standing))


def next_selection(agent: Agent, standing: Standing) -> Selection | None:
    """Return who acts next; `None` when nobody can."""
    try:
        return select(agent, standing.stack)
    except (AgentNotFoundError, NodeNotFoundError):
        return None


def is_foreign(agent: Agent, standing: Standing) -> bool:
    """Tell whether another team wrote the tape, so that the agent begins at its first node."""
    return standing.root_name not in ("", agent.name)


def _find_unknown_actions(open_actions: Sequence[PendingAction]) -> tuple[Misfit, ...]:
    kinds = [item.action.kind for item in open_actions if isinstance(item.action, UnknownStep)]
    return tuple(
        Misfit(
            "kind",
            kind,
            f"The last turn calls {kind!r}, which no environment here can answer. Cut the tape "
            "before it, or answer it yourself.",
        )
        for kind in dict.fromkeys(kinds)
    )


def _find_missing_frames(agent: Agent, standing: Standing) -> tuple[Misfit, ...]:
    """Check the active member, and those that get their turn back when it responds."""
    try:
        select(agent, standing.stack)
    except AgentNotFoundError as error:
        path = standing.stack.top.agent_path
        return (Misfit("subagent", str(error.details.get("subagent", path)), error.message),)
    except NodeNotFoundError as error:
        return (Misfit("node", str(error.details.get("node", "")), error.message),)
    if agent.reads_whole_tape or is_foreign(agent, standing):
        return ()
    return tuple(
        misfit
        for view in standing.stack.views[:-1]
        if (misfit := _check_caller(agent, view)) is not None
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
    """Return the names by which two teams are compared: the root, members and their nodes."""
    parts = {f"team {agent.name}"}
    for path, member in agent.walk():
        below = path.partition("/")[2]
        if below:
            parts.add(f"agent {below}")
        parts.update(f"node {below}.{node.name}" for node in member.nodes)
    return frozenset(parts)


def tape_parts(writers: Iterable[tuple[str, str]]) -> frozenset[str]:
    """Return the same names for what agents and nodes wrote on a tape."""
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
    """Return how alike two teams are, from 0 to 1."""
    return len(wanted & offered) / len(wanted | offered) if wanted and offered else 0.0
