"""Compares two agent versions: the differences between their specs."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from tapes_app.agents.domain.rows import ComparedVersion
from tapes_app.agents.store import agents
from tapes_app.engine.tape.field_diff import diff_fields
from tapes_app.projects.services.people import Person
from tapes_app.tapes.domain.word_diff import FieldChange, show_field


@dataclass(frozen=True)
class AgentDiff:
    """Two agent versions and the differences of their specs; nodes are matched by name."""

    left: ComparedVersion
    right: ComparedVersion
    fields: list[FieldChange]


def diff_versions(person: Person, left_id: UUID, right_id: UUID) -> AgentDiff:
    """Compare two agent versions of the project, of the same agent or of two.

    Nodes, subagents and models are matched by name, so an inserted one shifts nothing.

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
    """Return a spec in which the settings of nodes, including the name, are top-level fields."""
    return {
        **spec,
        "nodes": [{"type": node["type"], **node["settings"]} for node in spec["nodes"]],
        "subagents": [_flat(member) for member in spec["subagents"]],
    }
