"""How many of the tapes of a list have which findings."""

from dataclasses import dataclass, replace
from uuid import UUID

from django.db.models import Count, Q, Sum
from django.db.models.functions import Coalesce

from tapes_app.library.store.plans import TapeFilter, plan_list
from tapes_app.library.store.samples import take_sample
from tapes_app.library.tape_query.facets import without_facet
from tapes_app.lint.findings import SEVERITIES
from tapes_app.lint.store.marks import FindingCount, count_of_detector
from tapes_app.models import LintMarkRecord, TapeLintRecord


@dataclass(frozen=True, slots=True)
class FindingCounts:
    """Of the tapes that a filter picks: by detector, how many were linted, how many there are."""

    items: tuple[FindingCount, ...]
    """The gravest first, then those on most tapes."""

    finding_count: int
    """How many findings there are."""

    found_count: int
    """Tapes with at least one of them."""

    tape_count: int
    linted_count: int
    is_cut: bool
    """There are more tapes: only the newest were counted."""


def count_findings(project: UUID, where: TapeFilter) -> FindingCounts:
    """Return the detectors that found something on the tapes of a list, the gravest first.

    The list is not narrowed by finding: each count says what choosing that finding would give.
    """
    whole = replace(where, query=without_facet(where.query, "lint"))
    sample = take_sample(project, plan_list(project, whole))
    marks = LintMarkRecord.objects.filter(project_id=project, tape_id__in=sample.ids)
    rows = marks.values_list("detector", "severity").annotate(count=Count("tape_id")).order_by()
    items = [count_of_detector(*row) for row in rows]
    items.sort(key=lambda one: (SEVERITIES.index(one.severity), -one.tape_count, one.detector))
    linted = TapeLintRecord.objects.filter(tape_id__in=sample.ids)
    counts = linted.aggregate(
        linted=Count("tape_id"),
        found=Count("tape_id", filter=Q(finding_count__gt=0)),
        findings=Coalesce(Sum("finding_count"), 0),
    )
    return FindingCounts(
        items=tuple(items),
        finding_count=counts["findings"],
        found_count=counts["found"],
        tape_count=sample.count,
        linted_count=counts["linted"],
        is_cut=sample.is_cut,
    )
