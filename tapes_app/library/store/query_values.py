"""Names that occur in a project, for the completion of queries."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from tapes_app.models import (
    BatchRecord,
    DatasetRecord,
    LintMarkRecord,
    StepRecord,
    TapeRecord,
    TapeTagRecord,
)
from tapes_app.projects.domain.columns import fit_text

MOST_VALUES = 20
_OF_TAPES = {"agent": "agent_name", "author": "author", "task": "task"}
_NEWEST_STEPS = 5_000
"""Kinds, nodes and tools are collected from this many of the newest steps."""


def list_values(project: UUID, field: str, prefix: str) -> tuple[str, ...]:
    """Return the names of a field that begin with the given prefix, by name."""
    prefix = fit_text(prefix, 200)
    if field in ("kind", "node", "tool") or field.startswith("step_"):
        return _of_steps(project, field.removeprefix("step_"), prefix)
    rows, name = _rows(project, field)
    found = rows.filter(**{f"{name}__istartswith": prefix}).order_by(name)
    return tuple(found.values_list(name, flat=True).distinct()[:MOST_VALUES])


def _rows(project: UUID, field: str) -> tuple[QuerySet[Any], str]:
    match field:
        case "batch":
            return BatchRecord.objects.filter(project_id=project), "name"
        case "dataset":
            rows = DatasetRecord.objects.filter(project_id=project, deleted_at__isnull=True)
            return rows, "name"
        case "tag" | "parent_tag":
            return TapeTagRecord.objects.filter(project_id=project), "name"
        case "lint":
            return LintMarkRecord.objects.filter(project_id=project), "detector"
        case _:
            tapes = TapeRecord.objects.filter(project_id=project, deleted_at__isnull=True)
            return tapes, _OF_TAPES[field]


def _of_steps(project: UUID, field: str, prefix: str) -> tuple[str, ...]:
    column = "tools" if field == "tool" else field
    newest = StepRecord.objects.order_by("-id").filter(log__project_id=project)
    rows = newest.values_list(column, flat=True)[:_NEWEST_STEPS]
    # A path begins with the agent itself; several tools are separated by blanks.
    names = {
        name
        for value in set(rows)
        for name in ((value or "").split() if field == "tool" else (value or "",))
    }
    wanted = sorted(one for one in names if one.lower().startswith(prefix.lower()))
    return tuple(wanted[:MOST_VALUES])
