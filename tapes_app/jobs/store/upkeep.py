"""Keeping large libraries quick: what a server does by itself now and then, and what it leaves.

SQLite's planner does not count rows unless it is told to, and then reads a list of a large library
in the order of the wrong index. PostgreSQL puts new entries of its full-text indexes on piles
that every search walks through, and clears them away when it vacuums, which may be late.
"""

from django.db import connection
from django.db.models import Max

from tapes_app.models import StepRecord

_LEAST_STEPS = 10_000
_LOOKED_AT = 1_000
"""Rows of each index: it takes milliseconds, however large the library is."""


def keep_quick(known: int) -> int:
    """Do what is due; takes and returns how many steps SQLite knows of."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            for index in ("step_search", "tape_words_search"):
                cursor.execute("SELECT gin_clean_pending_list(%s::regclass)", [index])
        return known
    count = StepRecord.objects.aggregate(newest=Max("id"))["newest"] or 0
    # Where the library has doubled.
    if count < max(_LEAST_STEPS, 2 * known):
        return known
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA analysis_limit = {_LOOKED_AT}")
        cursor.execute("ANALYZE")
    return count
