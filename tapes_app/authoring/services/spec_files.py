"""Agents as YAML files: a version written as one, and an agent read from one."""

from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.utils.http import content_disposition_header

from tapes_app.agents.services.agents import AgentDetail, open_agent
from tapes_app.agents.store import agents
from tapes_app.authoring.domain.spec_size import check_size
from tapes_app.authoring.domain.spec_yaml import read_yaml_spec, write_yaml_spec
from tapes_app.authoring.services.drafts import dump_spec, read_draft, refuse_errors
from tapes_app.engine.agent.spec import AgentSpec
from tapes_app.projects.domain.columns import fit_line
from tapes_app.projects.services.people import Person

_NOTE = "Imported from YAML."


@dataclass(frozen=True)
class SpecFile:
    text: str
    disposition: str


def write_version(person: Person, version_id: UUID) -> SpecFile:
    """Return a version as a YAML file.

    Raises:
        NotFoundError: no such version in the project.
    """
    version = agents.load_version(version_id, person.project_id)
    name = f"{fit_line(version.agent_name, 100)}-v{version.number}.yaml"
    disposition = content_disposition_header(as_attachment=True, filename=name)
    return SpecFile(write_yaml_spec(dump_spec(version.spec)), disposition or "attachment")


@transaction.atomic
def import_agent(person: Person, text: str) -> AgentDetail:
    """Add the agent of a YAML file; one of the same name gets it as its next version.

    Raises:
        ImportRefusedError: the text is not YAML with one object, or has anchors or tags.
        SpecTooLargeError: it is larger than an agent may be.
        DraftInvalidError: no agent can be built from it.
    """
    value = read_yaml_spec(text)
    check_size(value)
    name = value.get("name")
    reading = read_draft(person, name if isinstance(name, str) else "", value)
    refuse_errors(reading.problems)
    spec = AgentSpec.model_validate(value)
    known = agents.find_agent(spec.name, person.project_id)
    if known is None:
        version = agents.create_agent(person.project_id, spec, owner=person.user_id, note=_NOTE)
        return open_agent(person, version.agent_id)
    agents.add_version(known.id, person.project_id, spec, owner=person.user_id, note=_NOTE)
    return open_agent(person, known.id)
