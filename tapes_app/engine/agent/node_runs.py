"""Node runs: the steps of a tape that one execution of one node wrote (C32)."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.nodes import Node
from tapes_app.engine.errors import AgentRunError
from tapes_app.engine.tape.steps import Step, family_of
from tapes_app.engine.tape.tape import Tape


class NodeRun(NamedTuple):
    """Steps `start` to `stop` (exclusive); an observation is a separate run, without an agent."""

    start: int
    stop: int
    agent: str
    node: str
    prompt_id: str

    @property
    def is_agent(self) -> bool:
        return bool(self.agent)


def split_node_runs(steps: Sequence[Step]) -> Iterator[NodeRun]:
    """Yield the runs of a tape in order; together they cover every step once."""
    start = 0
    while start < len(steps):
        first = steps[start].metadata
        stop = start + 1
        if first.agent and first.prompt_id:
            while stop < len(steps) and _same_run(first.prompt_id, first.agent, steps[stop]):
                stop += 1
        yield NodeRun(start, stop, first.agent, first.node, first.prompt_id)
        start = stop


def _same_run(prompt_id: str, agent: str, step: Step) -> bool:
    return step.metadata.prompt_id == prompt_id and step.metadata.agent == agent


def steps_of_run(tape: Tape, start: int) -> tuple[Step, ...]:
    """Return the steps of the node run that starts at a position.

    Steps that nobody signed, such as a person's, are one run up to their first action.
    """
    first = tape.steps[start].metadata
    stop = start + 1
    if first.prompt_id:
        while stop < len(tape) and _same_run(first.prompt_id, first.agent, tape.steps[stop]):
            stop += 1
        return tape.steps[start:stop]
    while stop < len(tape) and family_of(tape.steps[stop - 1]) != "action":
        step = tape.steps[stop]
        if step.metadata.prompt_id or family_of(step) == "observation":
            break
        stop += 1
    return tape.steps[start:stop]


def get_node_runs(agent: Agent, tape: Tape) -> Iterator[tuple[Node, int]]:
    """Yield every node that ran on the tape with the index of its first step (C20).

    Raises:
        AgentRunError: the tape names a node that the team does not have.
    """
    for run in split_node_runs(tape.steps):
        if not run.is_agent:
            continue
        node = agent.find_subagent(run.agent.partition("/")[2]).find_node(run.node)
        if node is None:
            raise AgentRunError(
                f"Step {run.start} was written by node {run.node!r} of {run.agent!r}, which "
                f"agent {agent.name!r} does not have.",
                position=run.start,
            )
        yield node, run.start
