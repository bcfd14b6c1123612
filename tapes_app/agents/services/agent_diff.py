"""Two versions of agents side by side: what of their specs differs."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from tapes_app.agents.rows import ComparedVersion
from tapes_app.agents.store import agents
from tapes_app.engine.field_diff import diff_fields
from tapes_app.projects.services.people import Person
from tapes_app.tapes.services.field_changes import FieldChange, show_field


@dataclass(frozen=True)
class AgentDiff:
    """Two agent versions, and what of their specs differs; nodes are found by name."""

    left: ComparedVersion
    right: ComparedVersion
    fields: list[FieldChange]


def diff_versions(person: Person, left_id: UUID, right_id: UUID) -> AgentDiff:
    """Compare two agent versions of the project, of one agent or of two.

    Nodes, subagents and models are found by their names, so one put in shifts nothing.

    Raises:
        NotFoundError: one of them is not in the project.
    """
    left, right = (
        agents.load_version(version_id, person.project_id) for version_id in (left_id, right_id)
    )
    old, new = (_flat(version.spec.model_dump(mode="json")) for version in (left, right))
    fields = diff_fields(old, new)
    return AgentDiff(left, right, [show_field(field) for field in fields])


def _flat(spec: Mapping[str, Any]) -> dict[str, Any]:
    """Return a spec whose nodes have their settings, name among them, as fields of their own."""
    return {
        **spec,
        "nodes": [{"type": node["type"], **node["settings"]} for node in spec["nodes"]],
        "subagents": [_flat(member) for member in spec["subagents"]],
    }
