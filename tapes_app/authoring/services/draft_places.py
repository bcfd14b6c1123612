"""The node run that wrote a step of a stored tape: where a draft is tried."""

from uuid import UUID

from tapes_app.engine.agent.node_runs import NodeRun
from tapes_app.engine.errors import InvalidInputError, TapeRangeError
from tapes_app.projects.services.people import Person
from tapes_app.runs.store.basis import StepAuthor, list_authors


class NoNodeRunError(InvalidInputError):
    """A step was written by a person or an environment, not by an agent."""

    code = "no_node_run"


def find_run(person: Person, tape_id: UUID, position: int) -> NodeRun:
    """Return the node run that wrote a step, up to that step.

    Its agent and node are empty where a file does not say who wrote the step.

    Raises:
        NotFoundError: no such tape in the project.
        TapeRangeError: the tape has no such step.
        NoNodeRunError: no agent wrote it.
    """
    authors = list_authors(tape_id, person.project_id, until=position + 1)
    if position >= len(authors):
        raise TapeRangeError(
            f"The tape has {len(authors)} steps, so there is no step {position}.",
            position=position,
        )
    author = authors[position]
    if author.family == "observation":
        raise NoNodeRunError(
            f"Step {position} is an observation, which no agent wrote; choose a step of the agent.",
            position=position,
        )
    start = position
    while start and _are_of_one_run(authors[start - 1], author):
        start -= 1
    return NodeRun(start, position + 1, author.agent, author.node, author.prompt_id)


def _are_of_one_run(one: StepAuthor, other: StepAuthor) -> bool:
    same_call = bool(one.prompt_id) and one.prompt_id == other.prompt_id
    return same_call and one.agent == other.agent
