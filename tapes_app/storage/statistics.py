"""What SQLite's planner knows of how many rows there are; PostgreSQL keeps count by itself.

Without it a list of a large library is now and then read in the order of the wrong index.
"""

from __future__ import annotations

from django.db import connection
from django.db.models import Max

from tapes_app.models import StepRecord

_LEAST_STEPS = 10_000
_LOOKED_AT = 1_000
"""Rows of each index: it takes milliseconds, however large the library is."""


def refresh_statistics(known: int) -> int:
    """Look anew where the library has doubled; return how many steps are known of now."""
    if connection.vendor != "sqlite":
        return known
    count = StepRecord.objects.aggregate(newest=Max("id"))["newest"] or 0
    if count < max(_LEAST_STEPS, 2 * known):
        return known
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA analysis_limit = {_LOOKED_AT}")
        cursor.execute("ANALYZE")
    return count
