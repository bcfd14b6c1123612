"""Full-text search over step text, newest first: FTS5 on SQLite, tsvector on PostgreSQL."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import BooleanField, Q, UUIDField
from django.db.models.expressions import RawSQL

from tapes_app.engine.errors import InvalidInputError
from tapes_app.models import StepRecord, TapeRecord
from tapes_app.storage.columns import fit_line, fit_text
from tapes_app.storage.rows import Page, SearchHit
from tapes_app.storage.spans import read_spans

_WORD = re.compile(r"[^\W_]+")
MAX_PAGE = 200
_MAX_WORDS = 20
_PREFIX_LENGTH = 3
_EXCERPT_LENGTH = 240
_ID_DIGITS = 18
_RARE = 2000
"""Up to so many hits, their tapes are picked; of a commoner word, tapes are asked in turn."""


def search(
    project: UUID, text: str, *, after: str | None = None, limit: int = 50
) -> Page[SearchHit]:
    """Return the newest steps that hold all the words; the last word may be unfinished.

    Raises:
        InvalidInputError: `after` is no cursor of this list.
    """
    limit = max(1, min(limit, MAX_PAGE))
    query = build_query(text)
    before = _read_after(after) if after else None
    if not query:
        return Page((), None)
    found = _newest_hits(project, query, before=before, limit=limit + 1)
    ids = [step_id for step_id, _ in found[:limit]]
    rows = StepRecord.objects.filter(id__in=ids).order_by("-id").select_related("log")
    words = words_in(text)
    hits = tuple(
        _hit(row, words)
        for row in rows.only("position", "kind", "gist", "text", "log__title", "log__spans")
    )
    return Page(hits, str(ids[-1]) if len(found) > limit else None)


@dataclass(frozen=True, slots=True)
class FoundWords:
    """The tapes whose own steps hold some words."""

    query: str
    """In the language of this database; empty when there are no words."""

    steps: Mapping[UUID, int] | None
    """The newest step with the words by tape; `None` for words too common to list them."""

    def condition(self) -> Q:
        """Return the condition that picks the tapes."""
        if self.steps is not None:
            return Q(id__in=list(self.steps))
        sql = _IN_TAPE[connection.vendor]
        return Q(RawSQL(sql, (self.query,), output_field=BooleanField()))  # noqa: S611


def find_words(project: UUID, text: str, *, is_phrase: bool = False) -> FoundWords:
    """Return the tapes whose own steps hold the words.

    Of a last word that is common and may be unfinished, whole words are found; where there
    are few of those, its newest continuations.
    """
    query = build_query(text, is_phrase=is_phrase)
    if not query:
        return FoundWords("", {})
    newest = _newest_hits(project, query, before=None, limit=_RARE + 1)
    if len(newest) <= _RARE:
        return FoundWords(query, _by_tape(newest))
    whole = build_query(text + " ", is_phrase=is_phrase)
    if whole != query and len(_newest_hits(project, whole, before=None, limit=_RARE + 1)) <= _RARE:
        return FoundWords(query, _by_tape(newest))
    return FoundWords(whole, None)


def _by_tape(hits: list[tuple[int, UUID]]) -> dict[UUID, int]:
    return {tape_id: step_id for step_id, tape_id in reversed(hits)}


def find_newest_hits(found: FoundWords, tape_ids: Sequence[UUID]) -> dict[UUID, int]:
    """Return the newest step with the words of each of some tapes."""
    if found.steps is not None:
        return {id: found.steps[id] for id in tape_ids if id in found.steps}
    if not tape_ids:
        return {}
    keys = [UUIDField().get_db_prep_value(id, connection) for id in tape_ids]
    places = ", ".join(["%s"] * len(keys))
    with connection.cursor() as cursor:
        cursor.execute(_NEWEST_OF[connection.vendor].format(places=places), [*keys, found.query])
        return {UUID(str(tape_id)): int(step_id) for tape_id, step_id in cursor.fetchall()}


def build_query(text: str, *, is_phrase: bool = False) -> str:
    """Return a text as a query of this database; empty when it holds no words.

    A last word without anything after it may be the beginning of a longer one; of a phrase all
    words are whole and stand side by side.
    """
    words = words_in(text)
    if not words:
        return ""
    is_prefix = not is_phrase and text[-1:].isalnum() and len(words[-1]) >= _PREFIX_LENGTH
    if connection.vendor == "sqlite":
        if is_phrase:
            return f'"{" ".join(words)}"'
        return " ".join(f'"{word}"' for word in words) + ("*" if is_prefix else "")
    joiner = " <-> " if is_phrase else " & "
    return joiner.join(f"'{word}'" for word in words) + (":*" if is_prefix else "")


# The order of the joins is given: SQLite knows nothing of how common a word is.
_HITS = {
    "sqlite": """
        SELECT step.id, step.log_id FROM step_search
        CROSS JOIN step ON step.id = step_search.rowid CROSS JOIN tape ON tape.id = step.log_id
        WHERE step_search MATCH %s AND step_search.rowid < %s
        AND tape.project_id = %s AND tape.deleted_at IS NULL
        ORDER BY step_search.rowid DESC LIMIT %s
    """,
    "postgresql": """
        SELECT step.id, step.log_id FROM step JOIN tape ON tape.id = step.log_id
        WHERE step.search @@ to_tsquery('simple', %s) AND step.id < %s
        AND tape.project_id = %s AND tape.deleted_at IS NULL
        ORDER BY step.id DESC LIMIT %s
    """,
}
_IN_TAPE = {
    "sqlite": """
        EXISTS (SELECT 1 FROM step AS own CROSS JOIN step_search ON step_search.rowid = own.id
        WHERE own.log_id = "tape"."id" AND step_search MATCH %s)
    """,
    "postgresql": """
        EXISTS (SELECT 1 FROM step AS own
        WHERE own.log_id = "tape"."id" AND own.search @@ to_tsquery('simple', %s))
    """,
}
_NEWEST_OF = {
    "sqlite": """
        SELECT own.log_id, max(own.id) FROM step AS own
        CROSS JOIN step_search ON step_search.rowid = own.id
        WHERE own.log_id IN ({places}) AND step_search MATCH %s GROUP BY own.log_id
    """,
    "postgresql": """
        SELECT own.log_id, max(own.id) FROM step AS own
        WHERE own.log_id IN ({places}) AND own.search @@ to_tsquery('simple', %s)
        GROUP BY own.log_id
    """,
}
_LAST_ID = 2**63 - 1


def _newest_hits(
    project: UUID, query: str, *, before: int | None, limit: int
) -> list[tuple[int, UUID]]:
    """Return row and tape of the newest steps that match."""
    key = UUIDField().get_db_prep_value(project, connection)
    with connection.cursor() as cursor:
        cursor.execute(
            _HITS[connection.vendor],
            [query, _LAST_ID if before is None else before, key, limit],
        )
        return [(int(step_id), UUID(str(tape_id))) for step_id, tape_id in cursor.fetchall()]


def words_in(text: str) -> list[str]:
    """Return the words of a text as the index cuts it."""
    return _WORD.findall(fit_text(text, 1000))[:_MAX_WORDS]


def _read_after(after: str) -> int:
    if not after.isdecimal() or len(after) > _ID_DIGITS:
        raise InvalidInputError("This list has no such page; begin again without 'after'.")
    return int(after)


def _hit(row: StepRecord, words: list[str]) -> SearchHit:
    tape: Any = row.log
    return SearchHit(
        step_id=row.pk,
        tape_id=row.log_id,
        position=_position_on(tape, row.position),
        tape_title=tape.title,
        kind=row.kind,
        gist=row.gist,
        excerpt=_excerpt(row.text, words),
    )


def _position_on(tape: TapeRecord, position: int) -> int:
    offset = 0
    for span in read_spans(tape.spans):
        if span.log == tape.id and span.start <= position < span.end:
            return offset + position - span.start
        offset += span.count
    return position


def _excerpt(text: str, words: list[str]) -> str:
    found = re.search("|".join(re.escape(word) for word in words), text, re.IGNORECASE)
    start = max(0, found.start() - _EXCERPT_LENGTH // 3) if found else 0
    return fit_line(("…" if start else "") + text[start:], _EXCERPT_LENGTH)
