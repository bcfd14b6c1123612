"""Full-text search over steps, titles, tasks and answers, newest first.

`search_index` asks the databases: one index has the texts of steps, the other what tapes say of
themselves. A tape is found where one step of it, or all that it says of itself, holds all words.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from uuid import UUID

from django.db import connection
from django.db.models import Q

from tapes_app.library.store.search_index import newest_hits, newest_of, read_moment
from tapes_app.library.store.search_stretches import (
    STEP_TEXTS,
    TAPE_WORDS,
    TextIndex,
    is_cheap,
)
from tapes_app.projects.columns import fit_text

_WORD = re.compile(r"[^\W_]+")
_MAX_WORDS = 20
_PREFIX_LENGTH = 3
_FIRST = 64
"""This many hits are read at first; a last word that has more is taken as whole."""

_RARE = 256
"""Up to so many hits, their tapes are picked; of a commoner word only the newest are known."""

_GROWTH = 8
_MOST = 4_096
"""This many hits are read at most, each time more of them."""

_WRITING = timedelta(seconds=10)
"""Steps get their time before they get their id; those of two writers cross by less than this."""


@dataclass(frozen=True, slots=True)
class FoundRows:
    """The tapes of which rows of one index hold some words."""

    index: TextIndex
    query: str
    """In the language of this database; empty when there are no words."""

    newest: Mapping[UUID, int] = field(default_factory=dict)
    """The newest row with the words by tape; of common words, of the newest hits."""

    oldest: int | None = None
    """The oldest row that was found; `None`: there are no others."""

    since: datetime | None = None
    """All tapes with the words that were made later are in `newest`; `None`: simply all are."""

    hit_count: int = 0

    def newest_of(self, tape_ids: Sequence[UUID]) -> dict[UUID, int]:
        """Return the newest row with the words of each of some tapes that has one."""
        known = {id: self.newest[id] for id in tape_ids if id in self.newest}
        rest = [id for id in tape_ids if id not in known]
        if self.oldest is None or not rest:
            return known
        return {**known, **newest_of(self.query, rest, self.index)}


@dataclass(frozen=True, slots=True)
class FoundWords:
    """The tapes that hold some words: in their own steps, or in title, task and answers."""

    steps: FoundRows
    heads: FoundRows

    @property
    def are_all(self) -> bool:
        """All tapes with the words are known."""
        return self.steps.oldest is None and self.heads.oldest is None

    @property
    def since(self) -> datetime | None:
        """All tapes with the words that were made later are known; `None`: simply all are."""
        return max(filter(None, (self.steps.since, self.heads.since)), default=None)

    @property
    def tapes(self) -> set[UUID]:
        """The tapes that are known."""
        return {*self.steps.newest, *self.heads.newest}

    def condition(self) -> Q:
        """Return the condition that picks the tapes; where all are known."""
        assert self.are_all, "tapes with common words are asked for some at a time"
        return Q(id__in=list(self.tapes))

    def among(self, tape_ids: Sequence[UUID]) -> set[UUID]:
        """Return which of some tapes have the words."""
        found = set(self.steps.newest_of(tape_ids))
        return found | set(self.heads.newest_of([id for id in tape_ids if id not in found]))


def find_words(text: str, *, is_phrase: bool = False, is_for_newest: bool = False) -> FoundWords:
    """Return the tapes, of any project, that hold the words.

    A last word that may be unfinished but is common is taken as whole. Where
    only the newest tapes are wanted, fewer hits are read, and `read_on` gives more.
    """
    query = build_query(text, is_phrase=is_phrase)
    steps, heads = (
        _find_rows(index, query, text, is_for_newest=is_for_newest)
        for index in (STEP_TEXTS, TAPE_WORDS)
    )
    return FoundWords(steps, heads)


def _find_rows(index: TextIndex, query: str, text: str, *, is_for_newest: bool) -> FoundRows:
    if not query:
        return FoundRows(index, "")
    found = _find_first(index, query, text)
    return found if found.oldest is None or is_for_newest else _read(found, _RARE - _FIRST)


def _find_first(index: TextIndex, query: str, text: str) -> FoundRows:
    if is_cheap(query):
        return _read(FoundRows(index, query), _FIRST)
    # All beginnings with a common word are the dearest of all to find.
    whole = _read(FoundRows(index, build_query(text + " ")), _FIRST)
    if whole.oldest is not None or _is_last_common(index, text):
        return whole
    return _read(FoundRows(index, query), _FIRST)


def _is_last_common(index: TextIndex, text: str) -> bool:
    *others, last = words_in(text)
    if not others:
        return False
    return len(newest_hits(build_query(last + " "), limit=_FIRST + 1, index=index)) > _FIRST


def read_on(found: FoundWords, *, times: float = math.inf) -> FoundWords | None:
    """Return more of the tapes with common words; `None` after very many hits.

    `times` what was read up to now, but not very little and not very much.
    """
    # What is known least far back decides how far back all is known.
    steps, heads = found.steps, found.heads
    is_heads = steps.since is None or (heads.since is not None and heads.since > steps.since)
    rows = heads if is_heads else steps
    growth = min(max(times, 1.0), _GROWTH)
    more = min(round(rows.hit_count * growth), _MOST - rows.hit_count)
    if more <= 0:
        return None
    longer = _read(rows, more)
    return replace(found, heads=longer) if is_heads else replace(found, steps=longer)


def _read(found: FoundRows, most: int) -> FoundRows:
    """Return what is known after reading so many hits more."""
    hits = newest_hits(found.query, limit=most + 1, before=found.oldest, index=found.index)
    newest = {**{tape_id: row_id for row_id, tape_id, _ in reversed(hits)}, **found.newest}
    if len(hits) <= most:
        return FoundRows(found.index, found.query, newest)
    oldest, _, moment = hits[-1]
    since = read_moment(moment) + _WRITING
    return FoundRows(found.index, found.query, newest, oldest, since, found.hit_count + len(hits))


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


def words_in(text: str) -> list[str]:
    """Return the words of a text as the index cuts it."""
    return _WORD.findall(fit_text(text, 1000))[:_MAX_WORDS]
