"""The newest hits of a search on PostgreSQL, whose index has no order.

Reading all hits of a common word takes seconds. So each indexed text has two additional words, the
numbers of the stretches of ids that it is in, and the newest stretches are searched first: one
after the other as long as they give many hits, then wide ones together, then everything that is
left. For a prefix, the index walks through all its hits anywhere, so the newest rows are first read
directly.
"""

from dataclasses import dataclass
from uuid import UUID

from django.db import connection, models

from tapes_app.models import StepRecord, TapeWordsRecord

SHORT_BITS, LONG_BITS = 14, 18
"""A short stretch has 2 ** 14 ids, a long one 2 ** 18."""

_LOOKED_THROUGH = 4_096
"""Ids whose rows are read directly when searching for a prefix."""

_ENOUGH_TO_JUDGE = 4_096
"""If this many ids contain no hit, hits are considered rare."""

_MOST_SHORT = 32
_GROUP = 4
"""Short stretches looked up at once; each lookup walks through the rarest word's hits."""

_LEAST_WIDE = 4 << LONG_BITS
_LARGEST_SHARE = 4
"""If more than a quarter of what is left would be searched, everything left is."""


@dataclass(frozen=True, slots=True)
class TextQuery:
    """What a text must contain; nothing at all finds nothing."""

    words: str = ""
    """Whole words, in the syntax of this database's index."""

    parts: tuple[str, ...] = ()
    """What no index has as a word of its own, and is looked for anywhere in the text."""

    @property
    def is_cheap(self) -> bool:
        """Whether it may be run often: looking up a prefix is expensive every time."""
        return not self.words.endswith("*")

    def __bool__(self) -> bool:
        return bool(self.words or self.parts)


@dataclass(frozen=True, slots=True)
class TextIndex:
    """A table whose `text` has a full-text index; the ids of its rows increase with time."""

    model: type[models.Model]
    tape_column: str
    """The column with the tape that a row belongs to."""

    @property
    def table(self) -> str:
        return self.model._meta.db_table


STEP_TEXTS = TextIndex(StepRecord, "log_id")
TAPE_WORDS = TextIndex(TapeWordsRecord, "tape_id")
"""Titles, tasks and answers."""


def newest_hits_by_stretches(
    index: TextIndex, query: TextQuery, *, limit: int, before: int | None
) -> list[tuple[int, UUID, str]]:
    """Return the newest rows with the words of a query, with their tapes and times."""
    named = {"table": index.table, "tape": index.tape_column}
    found: list[tuple[int, UUID, str]] = []
    count = 1
    with connection.cursor() as cursor:
        cursor.execute(_LAST.format(**named))
        top = cursor.fetchone()[0] or 0
        end = top + 1 if before is None else min(before, top + 1)
        if not query.is_cheap:
            start = max(0, end - _LOOKED_THROUGH)
            cursor.execute(_NEWEST.format(**named), [start, end, query.words, limit])
            found = cursor.fetchall()
            end = start
        while end > 0 and len(found) < limit:
            start, words = _stretches_before(end, count, are_cheap=query.is_cheap)
            missing = limit - len(found)
            cursor.execute(_HITS.format(**named), [words, query.words, end, missing])
            hits = cursor.fetchall()
            found += hits
            count = _next_count(end - start, len(hits), missing - len(hits))
            end = start
    return found


def _stretches_before(end: int, count: int, *, are_cheap: bool) -> tuple[int, list[str]]:
    """Return where about `count` ids before `end` begin, and the words of their stretches.

    Stretches that share one text are looked up at once.
    """
    if count > _MOST_SHORT << SHORT_BITS:
        if count * _LARGEST_SHARE > end:
            return 0, [""]
        start, words = _words_before(end, count, "~~", LONG_BITS)
        return start, [" | ".join(words)]
    start, words = _words_before(end, count, "~", SHORT_BITS)
    size = _GROUP if are_cheap else len(words)
    return start, [" | ".join(words[at : at + size]) for at in range(0, len(words), size)]


def _words_before(end: int, count: int, mark: str, bits: int) -> tuple[int, list[str]]:
    last = (end - 1) >> bits
    first = max(0, last - max(1, count >> bits) + 1)
    return first << bits, [f"'{mark}{number}'" for number in range(last, first - 1, -1)]


def _next_count(looked_at: int, found: int, missing: int) -> int:
    """Return how many of the preceding ids should contain the missing hits."""
    if found:
        return looked_at * missing * 2 // found
    return max(looked_at * missing, _LEAST_WIDE) if looked_at >= _ENOUGH_TO_JUDGE else 1


_LAST = "SELECT max(id) FROM {table}"
# In the order of ids: the limit stops it early when there are many hits.
_NEWEST = """
    SELECT own.id, own.{tape}, own.created_at::text FROM (
        SELECT id, {tape}, created_at, search FROM {table}
        WHERE id >= %s AND id < %s ORDER BY id DESC
    ) AS own WHERE own.search @@ to_tsquery('simple', %s) LIMIT %s
"""
# The expression matches the migration that creates the index. Rows before a LATERAL keep their
# order, and those that the limit does not need are not queried. Materialized, because otherwise the
# planner would walk in id order through steps that do not match.
_HITS = """
    SELECT hit.id, hit.{tape}, hit.created_at::text
    FROM unnest(%s::text[]) AS stretch(words) CROSS JOIN LATERAL (
        WITH hit AS MATERIALIZED (
            SELECT id, {tape}, created_at FROM {table}
            WHERE (search || array_to_tsvector(
                ARRAY['~' || (id >> 14)::text, '~~' || (id >> 18)::text]
            )) @@ (to_tsquery('simple', %s) && stretch.words::tsquery)
        )
        SELECT own.id, own.{tape}, own.created_at
        FROM hit AS own WHERE own.id < %s
        ORDER BY own.id DESC
    ) AS hit LIMIT %s
"""
