"""How many of the tapes of a list have which findings."""

from dataclasses import dataclass, replace
from uuid import UUID

from django.db.models import Count

from tapes_app.library.store.plans import TapeFilter, plan_list
from tapes_app.library.store.samples import take_sample
from tapes_app.library.tape_query.facets import without_facet
from tapes_app.lint.store.marks import FindingCount, count_of_detector
from tapes_app.models import LintMarkRecord, TapeLintRecord


@dataclass(frozen=True, slots=True)
class FindingCounts:
    """Of the tapes that a filter picks: by detector, how many were linted, how many there are."""

    items: tuple[FindingCount, ...]
    tape_count: int
    linted_count: int
    is_cut: bool
    """There are more tapes: only the newest were counted."""


def count_findings(project: UUID, where: TapeFilter) -> FindingCounts:
    """Return the detectors that found something on the tapes of a list, by name.

    The list is not narrowed by finding: each count says what choosing that finding would give.
    """
    whole = replace(where, query=without_facet(where.query, "lint"))
    sample = take_sample(project, plan_list(project, whole))
    marks = LintMarkRecord.objects.filter(project_id=project, tape_id__in=sample.ids)
    rows = (
        marks.values_list("detector", "severity")
        .annotate(count=Count("tape_id"))
        .order_by("detector", "severity")
    )
    return FindingCounts(
        tuple(count_of_detector(*row) for row in rows),
        sample.count,
        TapeLintRecord.objects.filter(tape_id__in=sample.ids).count(),
        sample.is_cut,
    )
