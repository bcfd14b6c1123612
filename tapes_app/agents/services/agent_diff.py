"""Compares two agent versions: the differences between their specs."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from tapes_app.agents.domain.rows import ComparedVersion
from tapes_app.agents.store import agents
from tapes_app.engine.agent.spec import AgentSpec
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
    return AgentDiff(left, right, diff_specs(left.spec, right.spec))


def diff_specs(old: AgentSpec, new: AgentSpec) -> list[FieldChange]:
    """Return what differs between two specs, field by field; nodes are matched by name."""
    before, after = (_flat(spec.model_dump(mode="json")) for spec in (old, new))
    return [show_field(field) for field in diff_fields(before, after)]


def _flat(spec: Mapping[str, Any]) -> dict[str, Any]:
    """Return a spec in which the settings of nodes, including the name, are top-level fields.

    It has a list of kinds even if the agent defines none, so that each one differs by itself.
    """
    return {
        **spec,
        "kinds": spec.get("kinds", []),
        "nodes": [{"type": node["type"], **node["settings"]} for node in spec["nodes"]],
        "subagents": [_flat(member) for member in spec["subagents"]],
    }
