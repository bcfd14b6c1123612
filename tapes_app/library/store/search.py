"""Full-text search over step text, newest first; `search_index` asks the databases."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

from django.db import connection
from django.db.models import Q

from tapes_app.library.store.search_index import newest_hits, newest_of, read_moment
from tapes_app.library.store.search_stretches import is_cheap
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
class FoundWords:
    """The tapes whose own steps hold some words."""

    query: str
    """In the language of this database; empty when there are no words."""

    steps: Mapping[UUID, int] = field(default_factory=dict)
    """The newest step with the words by tape; of common words, of the newest hits."""

    oldest: int | None = None
    """The oldest step that was found; `None`: there are no others."""

    since: datetime | None = None
    """All tapes with the words that were made later are in `steps`; `None`: simply all are."""

    hit_count: int = 0

    @property
    def are_all(self) -> bool:
        return self.oldest is None

    def condition(self) -> Q:
        """Return the condition that picks the tapes; where all are known."""
        assert self.are_all, "tapes with common words are asked for some at a time"
        return Q(id__in=list(self.steps))


def find_words(text: str, *, is_phrase: bool = False, is_for_newest: bool = False) -> FoundWords:
    """Return the tapes, of any project, whose own steps hold the words.

    A last word that may be unfinished but is common is taken as whole. Where
    only the newest tapes are wanted, fewer hits are read, and `read_on` gives more.
    """
    query = build_query(text, is_phrase=is_phrase)
    if not query:
        return FoundWords("")
    found = _find_first(query, text)
    return found if found.are_all or is_for_newest else _read(found, _RARE - _FIRST)


def _find_first(query: str, text: str) -> FoundWords:
    if is_cheap(query):
        return _read(FoundWords(query), _FIRST)
    # All beginnings with a common word are the dearest of all to find.
    whole = _read(FoundWords(build_query(text + " ")), _FIRST)
    if not whole.are_all or _is_last_common(text):
        return whole
    return _read(FoundWords(query), _FIRST)


def _is_last_common(text: str) -> bool:
    *others, last = words_in(text)
    return bool(others) and len(newest_hits(build_query(last + " "), limit=_FIRST + 1)) > _FIRST


def read_on(found: FoundWords, *, times: float = math.inf) -> FoundWords | None:
    """Return more of the tapes with common words; `None` after very many hits.

    `times` what was read up to now, but not very little and not very much.
    """
    growth = min(max(times, 1.0), _GROWTH)
    more = min(round(found.hit_count * growth), _MOST - found.hit_count)
    return _read(found, more) if more > 0 else None


def _read(found: FoundWords, most: int) -> FoundWords:
    """Return what is known after reading so many hits more."""
    hits = newest_hits(found.query, limit=most + 1, before=found.oldest)
    steps = {**{tape_id: step_id for step_id, tape_id, _ in reversed(hits)}, **found.steps}
    if len(hits) <= most:
        return FoundWords(found.query, steps)
    oldest, _, moment = hits[-1]
    written_at = read_moment(moment)
    return FoundWords(
        found.query, steps, oldest, written_at + _WRITING, found.hit_count + len(hits)
    )


def find_newest_hits(found: FoundWords, tape_ids: Sequence[UUID]) -> dict[UUID, int]:
    """Return the newest step with the words of each of some tapes."""
    known = {id: found.steps[id] for id in tape_ids if id in found.steps}
    rest = [id for id in tape_ids if id not in known]
    if found.are_all or not rest:
        return known
    return {**known, **newest_of(found.query, rest)}


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
