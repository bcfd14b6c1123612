"""What is asked of the full-text indexes: FTS5 on SQLite, tsvector on PostgreSQL.

FTS5 gives hits newest first by itself. PostgreSQL's index has no order, and reading all hits of a
common word takes seconds; so each indexed text has two words more, the numbers of the stretches of
step ids that it is in, and the newest stretches are asked first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import Max, Min, UUIDField

from tapes_app.models import StepRecord

Hit = tuple[int, UUID]
"""A step and the tape in whose log it is."""

SHORT_BITS, LONG_BITS = 14, 18
"""A short stretch has 2 ** 14 ids, a long one 2 ** 18."""

_FIRST_COUNT = 1 << SHORT_BITS
_GROWTH = 8
_MOST_WORDS = 32
_SPARSE = 50
_LAST_ID = 2**63 - 1


def newest_hits(
    query: str, *, limit: int, project: UUID | None = None, before: int | None = None
) -> list[Hit]:
    """Return the newest steps that match, of one project or of all."""
    scope = {"scope": _TAPE, "of_project": _OF_PROJECT} if project else _ANYWHERE
    if connection.vendor == "sqlite":
        sql = _SQLITE_HITS.format(**scope)
        asked = [query, _LAST_ID if before is None else before, *_keys([project]), limit]
        return _fetch(sql, asked)
    top = StepRecord.objects.aggregate(top=Max("id"))["top"] or 0
    end = top + 1 if before is None else min(before, top + 1)
    sql = _POSTGRES_HITS.format(**scope)
    found: list[Hit] = []
    count = _FIRST_COUNT
    while end > 0 and len(found) < limit:
        stretch = _stretch_before(end, count)
        missing = limit - len(found)
        hits = _fetch(sql, [query, stretch.words, stretch.start, end, *_keys([project]), missing])
        found += hits
        count = _next_count(end - stretch.start, len(hits), missing - len(hits))
        end = stretch.start
    return found


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Ids from `start` to where the last one began, and the words that steps there have."""

    start: int
    words: str


def _stretch_before(end: int, count: int) -> _Stretch:
    """Return about so many ids before one, whole stretches long."""
    is_short = count < _MOST_WORDS << SHORT_BITS
    mark, bits = ("~", SHORT_BITS) if is_short else ("~~", LONG_BITS)
    last = (end - 1) >> bits
    first = max(0, last - max(1, count >> bits) + 1)
    words = " | ".join(f"'{mark}{number}'" for number in range(first, last + 1))
    return _Stretch(first << bits, words)


def _next_count(looked_at: int, found: int, missing: int) -> int:
    """Return in how many ids before what was looked at the missing hits should be."""
    if not found:
        return looked_at * _GROWTH
    return min(looked_at * _GROWTH, looked_at * missing * 5 // (found * 4))


def newest_of(query: str, tape_ids: Sequence[UUID]) -> dict[UUID, int]:
    """Return the newest step that matches of each of some tapes that has one."""
    if not tape_ids:
        return {}
    sql = _NEWEST_OF[connection.vendor].format(places=_places(tape_ids))
    return {tape_id: step_id for step_id, tape_id in _fetch(sql, [*_keys(tape_ids), query])}


def tapes_with(query: str, tape_ids: Sequence[UUID]) -> set[UUID]:
    """Return which of some tapes have an own step that matches."""
    if connection.vendor == "sqlite" and tape_ids:
        own = StepRecord.objects.filter(log_id__in=tape_ids).order_by()
        ends = own.aggregate(first=Min("id"), last=Max("id"))
        if ends["first"] is None:
            return set()
        # Tapes that were made one after the other: one look at a stretch of the index.
        if ends["last"] - ends["first"] < _SPARSE * len(tape_ids):
            hits = _fetch(_SQLITE_BETWEEN, [query, ends["first"], ends["last"]])
            return {tape_id for _, tape_id in hits}.intersection(tape_ids)
    return set(newest_of(query, tape_ids))


_TAPE = "CROSS JOIN tape"
_OF_PROJECT = "AND tape.id = step.log_id AND tape.project_id = %s AND tape.deleted_at IS NULL"
_ANYWHERE = {"scope": "", "of_project": ""}


def _fetch(sql: str, asked: Sequence[Any]) -> list[Hit]:
    with connection.cursor() as cursor:
        cursor.execute(sql, list(asked))
        rows = cursor.fetchall()
    if connection.vendor == "sqlite":
        return [(step_id, UUID(tape_id)) for step_id, tape_id in rows]
    return list(rows)


def _keys(ids: Sequence[UUID | None]) -> list[Any]:
    field = UUIDField()
    return [field.get_db_prep_value(one, connection) for one in ids if one is not None]


def _places(ids: Sequence[UUID]) -> str:
    return ", ".join(["%s"] * len(ids))


# The order of the joins is given: SQLite knows nothing of how common a word is.
_SQLITE_HITS = """
    SELECT step.id, step.log_id FROM step_search
    CROSS JOIN step ON step.id = step_search.rowid {scope}
    WHERE step_search MATCH %s AND step_search.rowid < %s {of_project}
    ORDER BY step_search.rowid DESC LIMIT %s
"""
_SQLITE_BETWEEN = """
    SELECT step.id, step.log_id FROM step_search CROSS JOIN step ON step.id = step_search.rowid
    WHERE step_search MATCH %s AND step_search.rowid BETWEEN %s AND %s
"""
# As in the migration that makes the index. Fetched as a whole: in the order of ids the planner
# would rather walk through steps that do not match.
_POSTGRES_HITS = """
    WITH hit AS MATERIALIZED (
        SELECT id, log_id FROM step
        WHERE (search || array_to_tsvector(
            ARRAY['~' || (id >> 14)::text, '~~' || (id >> 18)::text]
        )) @@ (to_tsquery('simple', %s) && %s::tsquery) AND id >= %s AND id < %s
    )
    SELECT step.id, step.log_id FROM hit AS step {scope} WHERE true {of_project}
    ORDER BY step.id DESC LIMIT %s
"""
_NEWEST_OF = {
    "sqlite": """
        SELECT max(own.id), own.log_id FROM step AS own
        CROSS JOIN step_search ON step_search.rowid = own.id
        WHERE own.log_id IN ({places}) AND step_search MATCH %s GROUP BY own.log_id
    """,
    # No index is on this column alone, so that the few steps of these tapes are looked at.
    "postgresql": """
        SELECT max(own.id), own.log_id FROM step AS own
        WHERE own.log_id IN ({places}) AND own.search @@ to_tsquery('simple', %s)
        GROUP BY own.log_id
    """,
}
