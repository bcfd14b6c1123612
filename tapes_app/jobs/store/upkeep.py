"""Keeping large libraries fast: the maintenance that a server does by itself, and what it skips.

SQLite's planner does not count rows unless told to, and then reads a list of a large library in the
order of the wrong index. PostgreSQL collects new entries of its full-text indexes in pending lists
that every search scans, and clears them when it vacuums, which may be late.
"""

from django.db import connection
from django.db.models import Max

from tapes_app.models import StepRecord

_LEAST_STEPS = 10_000
_LOOKED_AT = 1_000
"""Sampled rows per index: it takes milliseconds, however large the library is."""


def keep_quick(known: int) -> int:
    """Do the maintenance that is due; takes and returns how many steps SQLite knows of."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            for index in ("step_search", "tape_words_search"):
                cursor.execute("SELECT gin_clean_pending_list(%s::regclass)", [index])
        return known
    count = StepRecord.objects.aggregate(newest=Max("id"))["newest"] or 0
    # When the library has doubled.
    if count < max(_LEAST_STEPS, 2 * known):
        return known
    analyze_indexes()
    return count


def analyze_indexes() -> None:
    """Make SQLite count rows, sampling each index, and even out the results.

    From a sample it infers that indexes of one table have very different lengths, and then sorts a
    million rows rather than read a long index in its order.
    """
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA analysis_limit = {_LOOKED_AT}")
        cursor.execute("ANALYZE")
    level_counts()


def level_counts() -> None:
    """Set all indexes of a table to the length of the shortest, except partial indexes."""
    with connection.cursor() as cursor:
        cursor.execute(_LEVEL)
        cursor.execute("ANALYZE sqlite_schema")  # reads it again


_LEVEL = """
    WITH whole AS (
        SELECT s.tbl, s.idx, CAST(s.stat AS INTEGER) AS rows FROM sqlite_stat1 AS s
        JOIN pragma_index_list(s.tbl) AS i ON i.name = s.idx WHERE NOT i.partial
    )
    UPDATE sqlite_stat1 SET stat =
        (SELECT MIN(rows) FROM whole WHERE whole.tbl = sqlite_stat1.tbl)
        || substr(stat, instr(stat, ' '))
    WHERE idx IN (SELECT idx FROM whole)
"""
