"""The agents that other programs can call, by the names that they give as their model."""

from collections.abc import Iterator
from uuid import UUID

from tapes_app.agents.domain.rows import AgentRow, AgentVersionRow
from tapes_app.agents.store import agents
from tapes_app.engine.errors import NotFoundError
from tapes_app.projects.services.people import Person
from tapes_app.runs.domain.chat_completions import read_model


def list_callable(person: Person) -> Iterator[str]:
    """Yield the names by which the project's agents are called: published ones first."""
    for row in agents.list_agents(person.project_id):
        if row.published_version is not None:
            yield f"agent:{row.name}@published"
        for version in row.numbered_versions:
            yield f"agent:{row.name}@{version.number}"


def find_version(project: UUID, model: str) -> AgentVersionRow:
    """Return the version that a model names.

    Raises:
        InvalidInputError: it names no agent.
        NotFoundError: no such agent or version.
    """
    named = read_model(model)
    row = agents.find_agent(named.name, project)
    if row is None:
        raise NotFoundError(f"There is no agent {named.name!r} here.", model=model)
    return agents.load_version(_version_id(row, named.number, model), project)


def _version_id(row: AgentRow, number: int | None, model: str) -> UUID:
    wanted = row.published_version if number is None else number
    if wanted is None:
        raise NotFoundError(
            f"No version of agent {row.name!r} is published; publish one, or name its number: "
            f"agent:{row.name}@{row.latest_version}.",
            model=model,
        )
    for version in row.numbered_versions:
        if version.number == wanted:
            return version.id
    raise NotFoundError(
        f"Agent {row.name!r} has no version {wanted}; the newest is {row.latest_version}.",
        model=model,
    )
