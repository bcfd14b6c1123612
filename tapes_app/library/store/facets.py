"""How many tapes of a list have which agent, outcome, tag, finding; facets narrow each other."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.db.models import Count, Q, Sum
from django.db.models.functions import Coalesce

from tapes_app.library.domain.tape_query.conditions import Match, TapeQuery, all_of, conjuncts
from tapes_app.library.domain.tape_query.facets import (
    FACETS,
    STEP_BUCKETS,
    WITH_ERROR,
    WITHOUT_ERROR,
    bucket_value,
    toggle_value,
    without_facet,
)
from tapes_app.library.domain.tape_query.printer import print_query
from tapes_app.library.store.plans import TapeFilter, plan_list
from tapes_app.library.store.samples import Sample, take_sample
from tapes_app.lint.domain.findings import SEVERITIES
from tapes_app.lint.domain.linter import title_of
from tapes_app.lint.store.marks import FindingCount, count_of_detector
from tapes_app.models import BatchRecord, LintMarkRecord, TapeLintRecord, TapeRecord, TapeTagRecord
from tapes_app.projects.domain.columns import read_uuid

MOST_VALUES = 20
_COLUMNS = {
    "agent": "agent_name",
    "batch": "batch__name",
    "outcome": "outcome",
    "errors": "has_error",
    "steps": "step_count",
}


@dataclass(frozen=True, slots=True)
class FacetChoice:
    """A value of a facet; `query` is the query after a click on it."""

    value: str
    label: str
    count: int
    is_on: bool
    query: str


@dataclass(frozen=True, slots=True)
class FacetPanel:
    """The values of one facet, the most frequent first."""

    name: str
    values: tuple[FacetChoice, ...]
    is_cut: bool
    """Whether the list has more tapes than were counted, so that every count means "at least"."""

    more_count: int
    """How many values are not shown."""


@dataclass(frozen=True, slots=True)
class FacetPanels:
    """The facets of a list of tapes."""

    tape_count: int
    is_cut: bool
    """Whether there are more than `tape_count` tapes."""

    facets: tuple[FacetPanel, ...]


@dataclass(frozen=True, slots=True)
class FindingCounts:
    """Findings on the tapes of a filter: counts by detector, of linted tapes, and of all tapes."""

    items: tuple[FindingCount, ...]
    """The gravest first, then those on the most tapes."""

    finding_count: int
    """How many findings there are in total."""

    found_count: int
    """How many tapes have at least one finding."""

    tape_count: int
    linted_count: int
    is_cut: bool
    """Whether there are more tapes; only the newest were counted."""


def count_facets(project: UUID, where: TapeFilter) -> FacetPanels:
    """Return the facets of a list; each facet is counted as if its own clause were not there."""
    where = replace(where, query=_with_batch_names(project, where.query))
    full_sample = take_sample(project, plan_list(project, where))
    by_query: dict[TapeQuery, list[str]] = {}
    for name in FACETS:
        by_query.setdefault(without_facet(where.query, name), []).append(name)
    counted: dict[str, tuple[Counter[str], bool]] = {}
    for query, names in by_query.items():
        sample = (
            full_sample
            if query == where.query
            else take_sample(project, plan_list(project, replace(where, query=query)))
        )
        for name, counts in _count(project, sample, names).items():
            counted[name] = counts, sample.is_cut
    return FacetPanels(
        full_sample.count,
        full_sample.is_cut,
        tuple(
            _facet(name, counts, where.query, is_cut=is_cut)
            for name, (counts, is_cut) in ((name, counted[name]) for name in FACETS)
        ),
    )


def count_findings(project: UUID, where: TapeFilter) -> FindingCounts:
    """Return the detectors that found something on the tapes of a list, the gravest first.

    The list is not narrowed by finding: each count shows what choosing that finding would give.
    """
    unfiltered = replace(where, query=without_facet(where.query, "lint"))
    sample = take_sample(project, plan_list(project, unfiltered))
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


def _with_batch_names(project: UUID, query: TapeQuery) -> TapeQuery:
    """Return a query that names its batches instead of giving ids, as the batch facet does."""
    parts = conjuncts(query.clause)
    asked = [part for part in parts if isinstance(part, Match) and part.field == "batch"]
    ids = {found for part in asked for value in part.values if (found := read_uuid(value))}
    if not ids:
        return query
    batches = BatchRecord.objects.filter(project_id=project, id__in=ids)
    names = dict(batches.values_list("id", "name"))
    named = tuple(
        replace(part, values=tuple(_name_of(value, names) for value in part.values))
        if isinstance(part, Match) and part.field == "batch"
        else part
        for part in parts
    )
    return replace(query, clause=all_of(named))


def _name_of(value: str, names: Mapping[UUID, str]) -> str:
    batch_id = read_uuid(value)
    return value if batch_id is None else names.get(batch_id, value)


def _count(project: UUID, sample: Sample, names: list[str]) -> Mapping[str, Counter[str]]:
    found: dict[str, Counter[str]] = {}
    columns = [name for name in names if name in _COLUMNS]
    if columns:
        rows = TapeRecord.objects.filter(id__in=sample.ids).order_by()
        values = rows.values_list(*(_COLUMNS[name] for name in columns))
        # All columns in one pass: there are far fewer combinations of values than tapes.
        for *mixture, count in values.annotate(count=Count("id")):
            for name, value in zip(columns, mixture, strict=True):
                found.setdefault(name, Counter())[_value_of(name, value)] += count
    if "tag" in names:
        tags = TapeTagRecord.objects.filter(project_id=project, tape_id__in=sample.ids)
        found["tag"] = Counter(_counted(tags.values_list("name")))
    if "lint" in names:
        marks = LintMarkRecord.objects.filter(project_id=project, tape_id__in=sample.ids)
        found["lint"] = Counter(_counted(marks.values_list("detector")))
    return {name: found.get(name, Counter()) for name in names}


def _counted(names: Any) -> dict[str, int]:
    rows: Iterable[tuple[str, int]] = names.annotate(count=Count("tape_id")).order_by()
    return dict(rows)


def _value_of(name: str, value: Any) -> str:
    match name:
        case "errors":
            return WITH_ERROR if value else WITHOUT_ERROR
        case "outcome":
            return value or "none"
        case "steps":
            buckets = (one for one in STEP_BUCKETS if one[1] is None or value <= one[1])
            return bucket_value(next(buckets))
        case _:
            return value or ""


def _facet(name: str, counts: Counter[str], query: TapeQuery, *, is_cut: bool) -> FacetPanel:
    values = [_choice(name, value, count, query) for value, count in _sorted(name, counts)]
    shown = [one for at, one in enumerate(values) if at < MOST_VALUES or one.is_on]
    return FacetPanel(name, tuple(shown), is_cut, len(values) - len(shown))


def _choice(name: str, value: str, count: int, query: TapeQuery) -> FacetChoice:
    toggle = toggle_value(query, name, value)
    label = title_of(value) if name == "lint" else value
    return FacetChoice(value, label, count, toggle.is_on, print_query(toggle.query))


def _sorted(name: str, counts: Counter[str]) -> list[tuple[str, int]]:
    if name == "steps":
        order = [bucket_value(bucket) for bucket in STEP_BUCKETS]
        return [(value, counts[value]) for value in order if counts[value]]
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))
