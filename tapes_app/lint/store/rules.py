"""Rules of the linter that people of a project wrote."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction

from tapes_app.engine.errors import ConflictError, NotFoundError
from tapes_app.lint.findings import Severity, read_severity
from tapes_app.models import LintRuleRecord
from tapes_app.projects.columns import check_name

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
        ConflictError: the project has a rule of that name.
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
    """Remove a rule and return what it was.

    Raises:
        NotFoundError: no such rule in this project.
    """
    record = _get(rule_id, project)
    row = _row(record)
    record.delete()
    return row


def _save(record: LintRuleRecord, values: dict[str, Any]) -> LintRuleRow:
    if "name" in values:
        values["name"] = check_name(values["name"], NAME_LENGTH, "The rule's name")
    for name, value in values.items():
        setattr(record, name, value)
    try:
        with transaction.atomic():
            record.save()
    except IntegrityError as error:
        raise ConflictError(
            f"The project already has a rule {record.name!r}; choose another name.",
            name=record.name,
        ) from error
    return _row(record)


def _get(rule_id: UUID, project: UUID) -> LintRuleRecord:
    record = LintRuleRecord.objects.filter(id=rule_id, project_id=project).first()
    if record is None:
        raise NotFoundError("Rule not found.", rule_id=str(rule_id))
    return record


def _row(record: LintRuleRecord) -> LintRuleRow:
    return LintRuleRow(
        id=record.id,
        name=record.name,
        text=record.text,
        severity=read_severity(record.severity),
        is_enabled=record.is_enabled,
        updated_at=record.updated_at,
    )
