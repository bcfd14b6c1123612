"""The tools of a tape: what a form needs to know to edit the arguments of a call."""

from uuid import UUID

from tapes_app.agents.services.agents import ToolRow, describe_tool, list_tools
from tapes_app.agents.store import agents
from tapes_app.engine.errors import NotFoundError
from tapes_app.projects.services.people import Person
from tapes_app.tapes.store import headers, offered_tools


def list_tape_tools(person: Person, tape_id: UUID) -> list[ToolRow]:
    """Return the tools of its models, its agent and its family's calls, by name once.

    Raises:
        NotFoundError: no such tape in the project.
    """
    header = headers.load_header(tape_id, person.project_id)
    offered = offered_tools.list_offered_tools(tape_id, person.project_id)
    rows = [describe_tool(tool) for tool in offered]
    if header.agent_version_id is not None:
        rows.extend(_list_agent_tools(person, header.agent_version_id))
    called = offered_tools.list_called_tools(tape_id, person.project_id)
    rows.extend(ToolRow(name=name, description="", parameters={}) for name in called)
    found: dict[str, ToolRow] = {}
    for row in rows:
        if row.name:
            found.setdefault(row.name, row)
    return [found[name] for name in sorted(found)]


def _list_agent_tools(person: Person, version_id: UUID) -> tuple[ToolRow, ...]:
    try:
        version = agents.load_version(version_id, person.project_id)
    except NotFoundError:
        return ()
    return list_tools(version.spec)
