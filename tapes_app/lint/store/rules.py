"""What the linter looks for in a project: rules that people wrote, and detectors turned off."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from tapes_app.lint.domain.findings import Severity, read_severity
from tapes_app.models import DetectorOffRecord, LintRuleRecord
from tapes_app.projects.domain.columns import check_name
from tapes_app.projects.domain.rows import row_of
from tapes_app.projects.store.records import get_record, refusing_duplicates

NAME_LENGTH = 100


@dataclass(frozen=True, slots=True)
class LintRuleRow:
    """A rule as it is stored."""

    id: UUID
    name: str
    text: str
    severity: Severity
    is_enabled: bool
    updated_at: datetime


def list_rules(project: UUID) -> list[LintRuleRow]:
    """Return the project's rules by name."""
    return [_row(record) for record in LintRuleRecord.objects.filter(project_id=project)]


def load_rule(rule_id: UUID, project: UUID) -> LintRuleRow:
    """Return one rule.

    Raises:
        NotFoundError: no such rule in this project.
    """
    return _row(_get(rule_id, project))


def create_rule(project: UUID, *, owner: int | None = None, **values: Any) -> LintRuleRow:
    """Store a rule; `values` are `name`, `text`, `severity` and `is_enabled`.

    Raises:
        ConflictError: the project already has a rule of that name.
    """
    return _save(LintRuleRecord(project_id=project, owner_id=owner), values)


def change_rule(rule_id: UUID, project: UUID, **values: Any) -> LintRuleRow:
    """Change some values of a rule.

    Raises:
        NotFoundError: no such rule in this project.
        ConflictError: the project has another rule of that name.
    """
    return _save(_get(rule_id, project), values)


def delete_rule(rule_id: UUID, project: UUID) -> LintRuleRow:
    """Delete a rule and return its last state.

    Raises:
        NotFoundError: no such rule in this project.
    """
    record = _get(rule_id, project)
    row = _row(record)
    record.delete()
    return row


def list_off(project: UUID) -> frozenset[str]:
    """Return the names of the detectors that are turned off."""
    off = DetectorOffRecord.objects.filter(project_id=project)
    return frozenset(off.values_list("detector", flat=True))


def turn_off(project: UUID, detector: str) -> None:
    DetectorOffRecord.objects.get_or_create(project_id=project, detector=detector)


def turn_on(project: UUID, detector: str) -> None:
    DetectorOffRecord.objects.filter(project_id=project, detector=detector).delete()


def _save(record: LintRuleRecord, values: dict[str, Any]) -> LintRuleRow:
    if "name" in values:
        values["name"] = check_name(values["name"], NAME_LENGTH, "The rule's name")
    for name, value in values.items():
        setattr(record, name, value)
    taken = f"The project already has a rule {record.name!r}; choose another name."
    with refusing_duplicates(taken, name=record.name):
        record.save()
    return _row(record)


def _get(rule_id: UUID, project: UUID) -> LintRuleRecord:
    rules = LintRuleRecord.objects.filter(project_id=project)
    return get_record(rules, "Rule not found.", rule_id=rule_id)


def _row(record: LintRuleRecord) -> LintRuleRow:
    return row_of(LintRuleRow, record, severity=read_severity(record.severity))
