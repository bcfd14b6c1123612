"""Groups of jobs with a limit: how many of each may run at once."""

from collections import Counter
from collections.abc import Collection, Sequence
from uuid import UUID

from django.db import connection
from django.db.models import Count

from tapes_app.models import JobRecord

_KEY_BITS = 63
"""Of the signed number by which PostgreSQL knows an advisory lock."""


def find_full_groups() -> list[UUID]:
    """Return the groups that have as many running jobs as they may."""
    counts = (
        JobRecord.objects.filter(state=JobRecord.State.RUNNING, group__isnull=False)
        .values_list("group", "group_limit")
        .annotate(count=Count("id"))
        .order_by()
    )
    return [group for group, limit, count in counts if group and count >= (limit or 0)]


def keep_within_limits(rows: Sequence[JobRecord]) -> list[JobRecord]:
    """Return those of some queued jobs that may begin now, for the transaction that begins them."""
    groups = {row.group for row in rows if row.group is not None}
    at_work = _count_at_work(groups)
    kept: list[JobRecord] = []
    for row in rows:
        if row.group is not None:
            if at_work[row.group] >= (row.group_limit or 0):
                continue
            at_work[row.group] += 1
        kept.append(row)
    return kept


def _count_at_work(groups: Collection[UUID]) -> Counter[UUID]:
    """Count the running jobs of some groups; nobody else begins one until the transaction ends."""
    if not groups:
        return Counter()
    if connection.vendor == "postgresql":  # SQLite lets one transaction write at a time anyway
        with connection.cursor() as cursor:
            for group in sorted(groups):
                cursor.execute("SELECT pg_advisory_xact_lock(%s)", [group.int % (1 << _KEY_BITS)])
    running = JobRecord.objects.filter(state=JobRecord.State.RUNNING, group__in=groups)
    return Counter(group for group in running.values_list("group", flat=True) if group)
