"""Quick counts of a list's tapes, and samples of its newest tapes to compute counts over."""

from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from tapes_app.engine.errors import InvalidInputError
from tapes_app.library.store.scans import Plan, scan
from tapes_app.models import TapeRecord
from tapes_app.projects.store.time_limits import limited

MOST_COUNTED = 10_000
_MOST_SCANNED = 2_000
_SCAN_SECONDS = 0.5
_COUNT_SECONDS = 1.0


@dataclass(frozen=True)
class Sample:
    """A sample of the tapes of a list."""

    ids: QuerySet[Any] | Collection[UUID]
    """For an `__in` condition."""

    count: int
    is_cut: bool
    """Whether the list has more tapes than these."""


@dataclass(frozen=True)
class ListLength:
    """The number of tapes in a list, as far as it can be counted quickly."""

    tape_count: int
    is_cut: bool
    """Whether the list has more tapes, or may have."""


def count_quickly(project: UUID, plan: Plan) -> ListLength:
    """Return how many tapes a list has; if counting all takes too long, "more than"."""
    if plan.is_light:
        with suppress(InvalidInputError), limited(_COUNT_SECONDS):
            return ListLength(TapeRecord.objects.filter(plan.light).count(), is_cut=False)
    with suppress(InvalidInputError), limited(_COUNT_SECONDS):
        sample = take_sample(project, plan)
        return ListLength(sample.count, sample.is_cut)
    return ListLength(0, is_cut=True)


def take_sample(project: UUID, plan: Plan) -> Sample:
    """Return the newest tapes of a list, as many as can be counted quickly."""
    if plan.is_light:
        newest = TapeRecord.objects.filter(plan.light).order_by("-created_at", "-id")
        count = newest.values("id")[: MOST_COUNTED + 1].count()
        ids = newest.values("id")[:MOST_COUNTED]
        return Sample(ids, min(count, MOST_COUNTED), count > MOST_COUNTED)
    scanned = scan(project, plan, after=None, limit=_MOST_SCANNED, budget_seconds=_SCAN_SECONDS)
    return Sample(scanned.ids, len(scanned.ids), scanned.next is not None)
