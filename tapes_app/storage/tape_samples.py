"""The newest tapes of a list, to count over: all of them, or so many that it stays quick."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from tapes_app.models import TapeRecord
from tapes_app.storage.tape_scans import Plan, scan

MOST_COUNTED = 10_000
_MOST_SCANNED = 2_000
_SCAN_SECONDS = 0.5


@dataclass(frozen=True)
class Sample:
    """Some tapes of a list."""

    ids: QuerySet[Any] | Collection[UUID]
    """For an `__in` condition."""

    count: int
    is_cut: bool
    """The list has more tapes than these."""


def take_sample(project: UUID, plan: Plan) -> Sample:
    """Return the newest tapes of a list, as far as counting them is quick."""
    if plan.is_light:
        newest = TapeRecord.objects.filter(plan.light).order_by("-created_at", "-id")
        count = newest.values("id")[: MOST_COUNTED + 1].count()
        ids = newest.values("id")[:MOST_COUNTED]
        return Sample(ids, min(count, MOST_COUNTED), count > MOST_COUNTED)
    scanned = scan(project, plan, after=None, limit=_MOST_SCANNED, budget_seconds=_SCAN_SECONDS)
    return Sample(scanned.ids, len(scanned.ids), scanned.next is not None)
