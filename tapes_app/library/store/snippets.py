"""The piece of a step in which the words of a search were found, for the rows of a list."""

import re
from collections.abc import Iterator, Mapping, Sequence
from uuid import UUID

from django.db.models.functions import Substr

from tapes_app.library.store.search import FoundWords, find_newest_hits, words_in
from tapes_app.library.tape_query.conditions import Words
from tapes_app.models import StepRecord
from tapes_app.projects.columns import fit_line
from tapes_app.tapes.rows import SnippetPart

_LENGTH = 140
_BEFORE = 30
_READ = 8_000
"""Of a longer text only so many characters are looked at."""


def find_snippets(
    words: Mapping[Words, FoundWords], tape_ids: Sequence[UUID]
) -> dict[UUID, tuple[SnippetPart, ...]]:
    """Return for the first words of a query what is around them, by tape."""
    if not words:
        return {}
    leaf, found = next(iter(words.items()))
    hits = find_newest_hits(found, tape_ids)
    if not hits:
        return {}
    texts = StepRecord.objects.filter(id__in=list(hits.values())).order_by()
    rows = texts.values_list("log_id", Substr("text", 1, _READ))
    pattern = _pattern_of(leaf)
    return {tape_id: cut_snippet(text, pattern) for tape_id, text in rows}


def _pattern_of(words: Words) -> re.Pattern[str]:
    """Return what finds the words in a text; the last one may continue, as in the search."""
    terms = [re.escape(term) for term in words_in(words.text)]
    alternatives = r"[\W_]+".join(terms) if words.is_phrase else "|".join(terms) + r"[^\W_]*"
    return re.compile(rf"(?<![^\W_])(?:{alternatives})(?![^\W_])", re.IGNORECASE)


def cut_snippet(text: str, pattern: re.Pattern[str]) -> tuple[SnippetPart, ...]:
    """Return a piece of a text around the first of some words, on one line, with the words told."""
    first = pattern.search(text)
    start = max(0, first.start() - _BEFORE) if first is not None else 0
    line = fit_line(("…" if start else "") + text[start:], _LENGTH)
    return tuple(_parts(line, pattern))


def _parts(line: str, pattern: re.Pattern[str]) -> Iterator[SnippetPart]:
    at = 0
    for hit in pattern.finditer(line):
        if hit.start() > at:
            yield SnippetPart(line[at : hit.start()], is_hit=False)
        yield SnippetPart(hit.group(), is_hit=True)
        at = hit.end()
    if at < len(line):
        yield SnippetPart(line[at:], is_hit=False)
