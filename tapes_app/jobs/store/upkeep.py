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
    tell_planner()
    return count


def tell_planner() -> None:
    """Have SQLite count rows, some of each index, and level what it made of that.

    From some rows it takes indexes of one table to be of very different lengths, and then rather
    sorts a million rows than read a long one in its order.
    """
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA analysis_limit = {_LOOKED_AT}")
        cursor.execute("ANALYZE")
    level_counts()


def level_counts() -> None:
    """Have all indexes of a table be as long as the shortest of them, but those of some rows."""
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
