"""The excerpts in which the words of a search were found, for the rows of a list."""

import re
from collections.abc import Iterator, Mapping, Sequence
from uuid import UUID

from django.db.models.functions import Substr

from tapes_app.library.domain.tape_query.conditions import Words
from tapes_app.library.store.search import FoundWords, parts_in, words_in
from tapes_app.models import StepRecord, TapeRecord
from tapes_app.projects.domain.columns import fit_line
from tapes_app.tapes.domain.rows import SnippetPart

_LENGTH = 140
_BEFORE = 15
_READ = 8_000
"""How many characters of a text are searched."""

_HEAD_NAMES = ("title", "task", "expected", "actual")
"""If several contain the words, the last one is shown: the title is next to the snippet anyway."""


def find_snippets(
    words: Mapping[Words, FoundWords], tape_ids: Sequence[UUID]
) -> dict[UUID, tuple[SnippetPart, ...]]:
    """Return, by tape, a snippet around the first words of a query."""
    if not words:
        return {}
    leaf, found = next(iter(words.items()))
    pattern = _pattern_of(leaf)
    shown = _in_steps(found, pattern, tape_ids)
    rest = found.heads.newest_of([id for id in tape_ids if id not in shown])
    return {**shown, **_in_heads(pattern, list(rest))}


def _in_steps(
    found: FoundWords, pattern: re.Pattern[str], tape_ids: Sequence[UUID]
) -> dict[UUID, tuple[SnippetPart, ...]]:
    hits = found.steps.newest_of(tape_ids)
    if not hits:
        return {}
    texts = StepRecord.objects.filter(id__in=list(hits.values())).order_by()
    rows = texts.values_list("log_id", Substr("text", 1, _READ))
    return {tape_id: cut_snippet(text, pattern) for tape_id, text in rows}


def _in_heads(
    pattern: re.Pattern[str], tape_ids: Sequence[UUID]
) -> dict[UUID, tuple[SnippetPart, ...]]:
    """Search the tapes' own texts; the snippet names the one that contains the words."""
    if not tape_ids:
        return {}
    texts = [Substr(name, 1, _READ) for name in _HEAD_NAMES]
    rows = TapeRecord.objects.filter(id__in=tape_ids).order_by().values_list("id", *texts)
    return {
        tape_id: (SnippetPart(f"{name}: ", is_hit=False), *cut_snippet(text, pattern))
        for tape_id, *values in rows
        for name, text in zip(_HEAD_NAMES, values, strict=True)
        if pattern.search(text)
    }


def _pattern_of(words: Words) -> re.Pattern[str]:
    """Return a pattern for the words; the last one may continue, as in the search."""
    terms = [re.escape(term) for term in words_in(words.text)]
    alternatives = r"[\W_]+".join(terms) if words.is_phrase else "|".join(terms) + r"[^\W_]*"
    patterns = [rf"(?<![^\W_])(?:{alternatives})(?![^\W_])"] if terms else []
    patterns += map(re.escape, parts_in(words.text))
    return re.compile("|".join(patterns) or r"(?!)", re.IGNORECASE)


def cut_snippet(text: str, pattern: re.Pattern[str]) -> tuple[SnippetPart, ...]:
    """Return one line of a text around the first of the words, with the words marked."""
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
