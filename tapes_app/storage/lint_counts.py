"""How many of the tapes of a list have which findings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from uuid import UUID

from django.db.models import Count

from tapes_app.engine.lint.findings import read_severity
from tapes_app.models import LintMarkRecord, TapeRecord
from tapes_app.storage.lint_marks import DetectorCount
from tapes_app.storage.tape_lists import TapeFilter, conditions_of


@dataclass(frozen=True, slots=True)
class FindingCounts:
    """Of the tapes that a filter picks: by detector, how many were linted, how many there are."""

    items: tuple[DetectorCount, ...]
    tape_count: int
    linted_count: int


def count_findings(project: UUID, where: TapeFilter) -> FindingCounts:
    """Return the detectors that found something on the tapes of a list, by name.

    The list is not narrowed by finding: each count says what choosing that finding would give.
    """
    tapes = TapeRecord.objects.filter(conditions_of(project, replace(where, lint="")))
    marks = LintMarkRecord.objects.filter(project_id=project, tape_id__in=tapes.values("id"))
    rows = (
        marks.values_list("detector", "severity")
        .annotate(count=Count("tape_id"))
        .order_by("detector", "severity")
    )
    totals = tapes.aggregate(all=Count("id"), linted=Count("lint"))
    return FindingCounts(
        tuple(
            DetectorCount(name, read_severity(severity), count) for name, severity, count in rows
        ),
        totals["all"],
        totals["linted"],
    )
