"""Drafts that nobody has changed for long: counted first, then removed. Tapes stay as they are."""

from datetime import datetime

from django.db.models import Count, Exists, OuterRef, QuerySet, Sum

from tapes_app.jobs.protocol import FINAL_STATES
from tapes_app.models import DraftRecord, JobRecord
from tapes_app.projects.rows import Amount
from tapes_app.projects.store.stored_bytes import StoredBytes

_DRAFTS_AT_ONCE = 500


def measure_old_drafts(before: datetime) -> Amount:
    """Return how many drafts were changed last before a moment, and their size."""
    found = _old(before).aggregate(count=Count("id"), size=Sum(StoredBytes("operations")))
    return Amount(found["count"], found["size"] or 0)


def prune_some_old_drafts(before: datetime) -> int | None:
    """Remove some of them, at once; return how many went, `None`: none is left.

    Asked again while it removes them: one that is changed meanwhile stays.
    """
    some = list(_old(before).values_list("id", flat=True)[:_DRAFTS_AT_ONCE])
    return _old(before).filter(id__in=some).delete()[0] if some else None


def _old(before: datetime) -> QuerySet[DraftRecord]:
    """Return those of tapes on which nothing goes on, waits or is paused."""
    at_work = JobRecord.objects.filter(tape=OuterRef("tape")).exclude(state__in=FINAL_STATES)
    return DraftRecord.objects.filter(~Exists(at_work), updated_at__lt=before)
