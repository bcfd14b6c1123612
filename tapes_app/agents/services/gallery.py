"""The agents that ship with the studio or come from plugins, and how a project gets one."""

from dataclasses import dataclass

from tapes_app.agents.domain.rows import AgentVersionRow
from tapes_app.agents.store.agents import ensure_version, find_agent, load_version
from tapes_app.engine.agent.registration import gallery_agents
from tapes_app.engine.agent.spec import AgentSpec
from tapes_app.engine.errors import NotFoundError
from tapes_app.gallery.first_messages import FIRST_MESSAGES
from tapes_app.projects.services.people import Person


@dataclass(frozen=True)
class GalleryAgent:
    name: str
    description: str
    spec: AgentSpec
    first_message: str
    """To try it with; empty: none ships with it."""


def list_gallery() -> list[GalleryAgent]:
    """Return the agents that ship with the studio or come from plugins."""
    specs = {name: gallery_agents.get(name)() for name in gallery_agents}
    return [
        GalleryAgent(name, spec.description, spec, FIRST_MESSAGES.get(name, ""))
        for name, spec in specs.items()
    ]


def find_or_add(person: Person, name: str) -> AgentVersionRow:
    """Return the version that new runs of a named agent use; add it from the gallery if needed.

    Raises:
        NotFoundError: neither the project nor the gallery has an agent of that name.
    """
    agent = find_agent(name, person.project_id)
    if agent is not None:
        return load_version(agent.default_version_id, person.project_id)
    shipped = {agent.name: agent.spec for agent in list_gallery()}
    if name not in shipped:
        raise NotFoundError(f"There is no agent {name!r}; the gallery has {sorted(shipped)}.")
    return ensure_version(person.project_id, shipped[name], owner=person.user_id)
