"""Event logs of jobs that ended long ago, to the last event: counted first, then removed.

What jobs did is on their tapes and in their rows. A job that is not over keeps its whole log.
"""

from datetime import datetime

from django.db import transaction
from django.db.models import Count, F, QuerySet, Sum

from tapes_app.jobs.protocol import FINAL_STATES
from tapes_app.models import JobEventRecord, JobRecord
from tapes_app.projects.rows import Amount
from tapes_app.projects.store.stored_bytes import StoredBytes

_JOBS_AT_ONCE = 200


def measure_old_logs(before: datetime) -> Amount:
    """Return how many events of jobs that ended before a moment there are, and their size."""
    events = JobEventRecord.objects.filter(job__in=_over(before)).order_by()
    found = events.aggregate(count=Count("id"), size=Sum(StoredBytes("payload")))
    return Amount(found["count"], found["size"] or 0)


def prune_some_old_logs(before: datetime) -> int | None:
    """Remove the logs of some jobs, at once; return how many events went, `None`: none is left."""
    with transaction.atomic():
        locked = _over(before).select_for_update(skip_locked=True)
        jobs = list(locked.values_list("id", flat=True)[:_JOBS_AT_ONCE])
        if not jobs:
            return None
        count = JobEventRecord.objects.filter(job__in=jobs).delete()[0]
        JobRecord.objects.filter(id__in=jobs).update(pruned_seq=F("last_seq"))
    return count


def _over(before: datetime) -> QuerySet[JobRecord]:
    return JobRecord.objects.filter(
        state__in=FINAL_STATES, finished_at__lt=before, pruned_seq__lt=F("last_seq")
    )
