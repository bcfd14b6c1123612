"""Agents as YAML files: a version written as one, and an agent read from one; plain copies."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils.http import content_disposition_header

from tapes_app.agents.services.agents import AgentDetail, open_agent
from tapes_app.agents.store import agents
from tapes_app.authoring.domain.foreign.adk_config import is_adk_config, read_adk_config
from tapes_app.authoring.domain.foreign.agents import AgentFiles, ForeignReading, write_note
from tapes_app.authoring.domain.foreign.agents_sdk import (
    is_sdk_code,
    read_sdk_code,
    refuse_typescript,
)
from tapes_app.authoring.domain.foreign.building import build_spec
from tapes_app.authoring.domain.plain_copies import make_plain_copy
from tapes_app.authoring.domain.rows import PlainCopy
from tapes_app.authoring.domain.spec_size import check_size
from tapes_app.authoring.domain.spec_yaml import read_yaml_spec, write_yaml_spec
from tapes_app.authoring.services.drafts import dump_spec, read_draft, refuse_errors
from tapes_app.authoring.services.usual_models import list_usual_models
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
def make_copy(person: Person, version_id: UUID) -> PlainCopy:
    """Return a version without the node classes of plugins, or what only they decide.

    Raises:
        NotFoundError: no such version in the project.
    """
    return make_plain_copy(agents.load_version(version_id, person.project_id).spec)


def import_agent(person: Person, files: AgentFiles) -> AgentDetail:
    """Add the agent of a file; one of the same name gets it as its next version.

    A file of another framework is read as far as it is data; the note of the version lists what has
    no equivalent.

    Raises:
        ImportRefusedError: no agent can be read from it.
        SpecTooLargeError: it is larger than an agent may be.
        DraftInvalidError: no agent can be built from it.
    """
    value, note = _read_files(person, files)
    check_size(value)
    name = value.get("name")
    reading = read_draft(person, name if isinstance(name, str) else "", value)
    refuse_errors(reading.problems)
    spec = AgentSpec.model_validate(value)
    known = agents.find_agent(spec.name, person.project_id)
    if known is None:
        version = agents.create_agent(person.project_id, spec, owner=person.user_id, note=note)
        return open_agent(person, version.agent_id)
    agents.add_version(known.id, person.project_id, spec, owner=person.user_id, note=note)
    return open_agent(person, known.id)


def _read_files(person: Person, files: AgentFiles) -> tuple[dict[str, Any], str]:
    """Return a spec, which may be invalid, and the note of its version."""
    refuse_typescript(files.text)
    if is_sdk_code(files.text):
        return _build_foreign(person, read_sdk_code(files.text))
    value = read_yaml_spec(files.text)
    if is_adk_config(value):
        return _build_foreign(person, read_adk_config(files))
    return value, _NOTE


def _build_foreign(person: Person, reading: ForeignReading) -> tuple[dict[str, Any], str]:
    made = build_spec(reading.agent, list_usual_models(person.project_id))
    return dump_spec(made.spec), write_note(
        reading.origin, (*made.differences, *reading.differences)
    )
