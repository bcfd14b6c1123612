"""The queries to the full-text indexes: FTS5 on SQLite, tsvector on PostgreSQL.

An index has words as they stand between spaces. Scripts without spaces and single signs are
therefore looked for in the texts themselves, newest first, which takes as long as reading them.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from uuid import UUID

from django.db import connection

from tapes_app.library.store.search_stretches import (
    STEP_TEXTS,
    TextIndex,
    TextQuery,
    newest_hits_by_stretches,
)

Hit = tuple[int, UUID, str]
"""A row, its tape, and when it was written, to be read by `read_moment`."""

_CLOSE = 200
"""Rows whose ids differ by at most this much are looked up in one go."""

_LAST_ID = 2**63 - 1


def newest_hits(
    query: TextQuery, *, limit: int, before: int | None = None, index: TextIndex = STEP_TEXTS
) -> list[Hit]:
    """Return the newest matching steps, or tapes by their words, of any project."""
    if query.parts:
        return _read_newest(query, limit=limit, before=before, index=index)
    if connection.vendor != "sqlite":
        return newest_hits_by_stretches(index, query, limit=limit, before=before)
    sql = _SQLITE_HITS.format(table=index.table, tape=index.tape_column)
    with connection.cursor() as cursor:
        cursor.execute(sql, [query.words, _LAST_ID if before is None else before, limit])
        rows = cursor.fetchall()
    return [(row_id, UUID(tape_id), moment) for row_id, tape_id, moment in rows]


def _read_newest(
    query: TextQuery, *, limit: int, before: int | None, index: TextIndex
) -> list[Hit]:
    """Read rows from the newest on until enough of them contain what is looked for."""
    where, values = _contain(query, index)
    sql = _READ_NEWEST.format(table=index.table, tape=index.tape_column, where=where)
    with connection.cursor() as cursor:
        cursor.execute(sql, [_LAST_ID if before is None else before, *values, limit])
        rows = cursor.fetchall()
    return [(row_id, UUID(str(tape_id)), str(moment)) for row_id, tape_id, moment in rows]


def _contain(query: TextQuery, index: TextIndex) -> tuple[str, list[str]]:
    """Return the condition that a row has all that is looked for, with its values."""
    is_sqlite = connection.vendor == "sqlite"
    wanted = "instr(own.text, %s) > 0" if is_sqlite else "strpos(own.text, %s) > 0"
    conditions, values = [wanted] * len(query.parts), list(query.parts)
    if query.words:
        matching = _SQLITE_MATCHING if is_sqlite else _POSTGRES_MATCHING
        conditions.append(matching.format(table=index.table))
        values.append(query.words)
    return " AND ".join(conditions), values


def newest_of(
    query: TextQuery, tape_ids: Sequence[UUID], index: TextIndex = STEP_TEXTS
) -> dict[UUID, int]:
    """Return the newest matching row of its own for each of the given tapes that has one."""
    if not tape_ids:
        return {}
    if connection.vendor == "sqlite" and not query.parts:
        return _newest_of_sqlite(index, query, tape_ids)
    return _newest_containing(index, query, tape_ids)


def _newest_containing(
    index: TextIndex, query: TextQuery, tape_ids: Sequence[UUID]
) -> dict[UUID, int]:
    where, values = _contain(query, index)
    places = ", ".join(["%s"] * len(tape_ids))
    sql = _NEWEST_OF.format(table=index.table, tape=index.tape_column, places=places, where=where)
    is_sqlite = connection.vendor == "sqlite"
    ids = [tape_id.hex if is_sqlite else tape_id for tape_id in tape_ids]
    with connection.cursor() as cursor:
        cursor.execute(sql, [*ids, *values])
        return {UUID(str(tape_id)): newest for tape_id, newest in cursor.fetchall()}


def _newest_of_sqlite(
    index: TextIndex, query: TextQuery, tape_ids: Sequence[UUID]
) -> dict[UUID, int]:
    """Search the stretches of the index that contain rows of the tapes."""
    own = index.model._default_manager.filter(**{f"{index.tape_column}__in": tape_ids})
    tape_of = dict(own.order_by("id").values_list("id", index.tape_column))
    newest: dict[UUID, int] = {}
    sql = _SQLITE_BETWEEN.format(table=index.table)
    with connection.cursor() as cursor:
        for first, last in _stretches(tape_of, _CLOSE if query.is_cheap else _LAST_ID):
            cursor.execute(sql, [query.words, first, last])
            newest |= {tape_of[id]: id for (id,) in cursor.fetchall() if id in tape_of}
    return newest


def _stretches(ids: Iterable[int], close: int) -> list[tuple[int, int]]:
    """Return the first and last id of each stretch of ids that are close together, in order."""
    found: list[tuple[int, int]] = []
    for id in ids:
        if found and id - found[-1][1] <= close:
            found[-1] = (found[-1][0], id)
        else:
            found.append((id, id))
    return found


def read_moment(text: str) -> datetime:
    """Parse the time of a hit; parsing it for every hit would take as long as the search."""
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


# The order of the joins is fixed: SQLite does not know how common a word is.
_SQLITE_HITS = """
    SELECT own.id, own.{tape}, own.created_at || '' FROM {table}_search AS hit
    CROSS JOIN {table} AS own ON own.id = hit.rowid
    WHERE hit.{table}_search MATCH %s AND hit.rowid < %s
    ORDER BY hit.rowid DESC LIMIT %s
"""
_SQLITE_BETWEEN = """
    SELECT rowid FROM {table}_search WHERE {table}_search MATCH %s AND rowid BETWEEN %s AND %s
    ORDER BY rowid
"""
_READ_NEWEST = """
    SELECT own.id, own.{tape}, own.created_at FROM {table} AS own
    WHERE own.id < %s AND {where} ORDER BY own.id DESC LIMIT %s
"""
_SQLITE_MATCHING = "own.id IN (SELECT rowid FROM {table}_search WHERE {table}_search MATCH %s)"
_POSTGRES_MATCHING = "own.search @@ to_tsquery('simple', %s)"
# No index is on this column alone, so that the few rows of these tapes are checked directly.
_NEWEST_OF = """
    SELECT own.{tape}, max(own.id) FROM {table} AS own
    WHERE own.{tape} IN ({places}) AND {where} GROUP BY own.{tape}
"""
