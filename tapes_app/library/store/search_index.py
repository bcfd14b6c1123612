"""What is asked of the full-text indexes: FTS5 on SQLite, tsvector on PostgreSQL."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from uuid import UUID

from django.db import connection

from tapes_app.library.store.search_stretches import is_cheap, newest_hits_by_stretches
from tapes_app.models import StepRecord

Hit = tuple[int, UUID, str]
"""A step, the tape in whose log it is, and when it was written, for `read_moment`."""

_CLOSE = 200
"""Ids between two steps that are still looked up in one go."""

_LAST_ID = 2**63 - 1


def newest_hits(query: str, *, limit: int, before: int | None = None) -> list[Hit]:
    """Return the newest steps that match, of any project."""
    if connection.vendor != "sqlite":
        return newest_hits_by_stretches(query, limit=limit, before=before)
    with connection.cursor() as cursor:
        cursor.execute(_SQLITE_HITS, [query, _LAST_ID if before is None else before, limit])
        rows = cursor.fetchall()
    return [(step_id, UUID(tape_id), moment) for step_id, tape_id, moment in rows]


def newest_of(query: str, tape_ids: Sequence[UUID]) -> dict[UUID, int]:
    """Return the newest own step that matches of each of some tapes that has one."""
    if not tape_ids:
        return {}
    if connection.vendor == "sqlite":
        return _newest_of_sqlite(query, tape_ids)
    sql = _POSTGRES_NEWEST_OF.format(places=", ".join(["%s"] * len(tape_ids)))
    with connection.cursor() as cursor:
        cursor.execute(sql, [*tape_ids, query])
        return dict(cursor.fetchall())


def _newest_of_sqlite(query: str, tape_ids: Sequence[UUID]) -> dict[UUID, int]:
    """Look at the stretches of the index in which steps of the tapes are."""
    own = StepRecord.objects.filter(log_id__in=tape_ids).order_by("id")
    log_of = dict(own.values_list("id", "log_id"))
    newest: dict[UUID, int] = {}
    with connection.cursor() as cursor:
        for first, last in _stretches(log_of, _CLOSE if is_cheap(query) else _LAST_ID):
            cursor.execute(_SQLITE_BETWEEN, [query, first, last])
            newest |= {log_of[id]: id for (id,) in cursor.fetchall() if id in log_of}
    return newest


def _stretches(ids: Iterable[int], close: int) -> list[tuple[int, int]]:
    """Return the first and the last of ids that are close to each other, in order."""
    found: list[tuple[int, int]] = []
    for id in ids:
        if found and id - found[-1][1] <= close:
            found[-1] = (found[-1][0], id)
        else:
            found.append((id, id))
    return found


def read_moment(text: str) -> datetime:
    """Return a moment of a hit; to read that of each one would take as long as the search."""
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


# The order of the joins is given: SQLite knows nothing of how common a word is.
_SQLITE_HITS = """
    SELECT step.id, step.log_id, step.created_at || '' FROM step_search
    CROSS JOIN step ON step.id = step_search.rowid
    WHERE step_search MATCH %s AND step_search.rowid < %s
    ORDER BY step_search.rowid DESC LIMIT %s
"""
_SQLITE_BETWEEN = """
    SELECT rowid FROM step_search WHERE step_search MATCH %s AND rowid BETWEEN %s AND %s
    ORDER BY rowid
"""
# No index is on this column alone, so that the few steps of these tapes are looked at.
_POSTGRES_NEWEST_OF = """
    SELECT own.log_id, max(own.id) FROM step AS own
    WHERE own.log_id IN ({places}) AND own.search @@ to_tsquery('simple', %s)
    GROUP BY own.log_id
"""
