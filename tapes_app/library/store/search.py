"""Full-text search over steps, titles, tasks and answers, newest first.

`search_index` queries the databases: one index has the texts of steps, the other the title, task
and answers of each tape. A tape is found if one of its steps, or its title, task and answers
together, contain all words.
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
    TextQuery,
)
from tapes_app.projects.domain.columns import fit_text

_WORD = re.compile(r"[^\W_]+")
_UNSPACED = re.compile(
    "[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u2190-\u2bff\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uf900-\ufaff\U0001f000-\U0001faff\U00020000-\U0003ffff]"
)
"""Letters of scripts that put no spaces between words, such as Chinese and Thai; and signs, such as
arrows and emoji, which are no words at all."""

_MAX_WORDS = 20
_PREFIX_LENGTH = 3
_FIRST = 64
"""How many hits are read first; a last word that has more is taken as complete."""

_RARE = 256
"""Up to this many hits, all tapes are known; for more common words, only the newest."""

_GROWTH = 8
_MOST = 4_096
"""The most hits that are read; each further read takes more of them."""

_WRITING = timedelta(seconds=10)
"""Steps get their time before their id; two writers' steps can be out of order by less."""


@dataclass(frozen=True, slots=True)
class FoundRows:
    """The tapes for which rows of one index contain the words."""

    index: TextIndex
    query: TextQuery

    newest: Mapping[UUID, int] = field(default_factory=dict)
    """By tape, the newest row with the words; for common words, only from the newest hits."""

    oldest: int | None = None
    """The oldest row that was found; `None` if there are no others."""

    since: datetime | None = None
    """`newest` has all tapes with the words created after this; `None`: it simply has all."""

    hit_count: int = 0

    def newest_of(self, tape_ids: Sequence[UUID]) -> dict[UUID, int]:
        """Return the newest row with the words for each of the given tapes that has one."""
        known = {id: self.newest[id] for id in tape_ids if id in self.newest}
        rest = [id for id in tape_ids if id not in known]
        if self.oldest is None or not rest:
            return known
        return {**known, **newest_of(self.query, rest, self.index)}


@dataclass(frozen=True, slots=True)
class FoundWords:
    """The tapes that contain the words: in their own steps, or in title, task and answers."""

    steps: FoundRows
    heads: FoundRows

    @property
    def are_all(self) -> bool:
        """Whether all tapes with the words are known."""
        return self.steps.oldest is None and self.heads.oldest is None

    @property
    def since(self) -> datetime | None:
        """All tapes with the words created after this are known; `None`: simply all are."""
        return max(filter(None, (self.steps.since, self.heads.since)), default=None)

    @property
    def tapes(self) -> set[UUID]:
        """The tapes known so far."""
        return {*self.steps.newest, *self.heads.newest}

    def condition(self) -> Q:
        """Return the condition that picks the tapes; only if all are known."""
        assert self.are_all, "tapes with common words are asked for some at a time"
        return Q(id__in=list(self.tapes))

    def among(self, tape_ids: Sequence[UUID]) -> set[UUID]:
        """Return which of the given tapes contain the words."""
        found = set(self.steps.newest_of(tape_ids))
        return found | set(self.heads.newest_of([id for id in tape_ids if id not in found]))


def find_words(text: str, *, is_phrase: bool = False, is_for_newest: bool = False) -> FoundWords:
    """Return the tapes, of any project, that contain the words.

    A last word that may be unfinished but is common is taken as complete. If only the newest tapes
    are needed, fewer hits are read, and `read_on` gets more.
    """
    query = build_query(text, is_phrase=is_phrase)
    steps, heads = (
        _find_rows(index, query, text, is_for_newest=is_for_newest)
        for index in (STEP_TEXTS, TAPE_WORDS)
    )
    return FoundWords(steps, heads)


def _find_rows(index: TextIndex, query: TextQuery, text: str, *, is_for_newest: bool) -> FoundRows:
    if not query:
        return FoundRows(index, query)
    found = _find_first(index, query, text)
    return found if found.oldest is None or is_for_newest else _read(found, _RARE - _FIRST)


def _find_first(index: TextIndex, query: TextQuery, text: str) -> FoundRows:
    if query.is_cheap:
        return _read(FoundRows(index, query), _FIRST)
    # Looking up a common word as a prefix is the most expensive search of all.
    complete = _read(FoundRows(index, build_query(text + " ")), _FIRST)
    if complete.oldest is not None or _is_last_common(index, text):
        return complete
    return _read(FoundRows(index, query), _FIRST)


def _is_last_common(index: TextIndex, text: str) -> bool:
    *others, last = words_in(text)
    if not others:
        return False
    return len(newest_hits(build_query(last + " "), limit=_FIRST + 1, index=index)) > _FIRST


def read_on(found: FoundWords, *, times: float = math.inf) -> FoundWords | None:
    """Return more of the tapes with common words; `None` after very many hits.

    Reads about `times` the hits read so far, within a lower and an upper limit.
    """
    # The index whose hits reach back least decides how far back all tapes are known.
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
    """Return what is known after reading up to `most` more hits."""
    hits = newest_hits(found.query, limit=most + 1, before=found.oldest, index=found.index)
    newest = {**{tape_id: row_id for row_id, tape_id, _ in reversed(hits)}, **found.newest}
    if len(hits) <= most:
        return FoundRows(found.index, found.query, newest)
    oldest, _, moment = hits[-1]
    since = read_moment(moment) + _WRITING
    return FoundRows(found.index, found.query, newest, oldest, since, found.hit_count + len(hits))


def build_query(text: str, *, is_phrase: bool = False) -> TextQuery:
    """Return a text as a query of this database; it is false if there is nothing to look for.

    The last word, if nothing follows it, may be the beginning of a longer one. In a phrase all
    words are complete and adjacent.
    """
    if is_phrase and _UNSPACED.search(text):
        return TextQuery(parts=(fit_text(text, 1000),))
    parts, words = parts_in(text), words_in(text)
    if not words:
        return TextQuery(parts=parts)
    is_prefix = (
        not is_phrase
        and text[-1:].isalnum()
        and len(words[-1]) >= _PREFIX_LENGTH
        and not (parts and text.endswith(parts[-1]))
    )
    if connection.vendor == "sqlite":
        if is_phrase:
            return TextQuery(f'"{" ".join(words)}"')
        return TextQuery(
            " ".join(f'"{word}"' for word in words) + ("*" if is_prefix else ""), parts
        )
    joiner = " <-> " if is_phrase else " & "
    quoted = joiner.join(f"'{word}'" for word in words)
    return TextQuery(quoted + (":*" if is_prefix else ""), parts)


def words_in(text: str) -> list[str]:
    """Return the words of a text as the index splits it, without its `parts_in`."""
    spaced = " ".join(one for one in fit_text(text, 1000).split() if not _UNSPACED.search(one))
    return _WORD.findall(spaced)[:_MAX_WORDS]


def parts_in(text: str) -> tuple[str, ...]:
    """Return what stands between spaces and has no words that an index would know."""
    found = [one for one in fit_text(text, 1000).split() if _UNSPACED.search(one)]
    return tuple(found[:_MAX_WORDS])
