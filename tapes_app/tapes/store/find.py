"""Finds words inside one tape: in the full text of its steps, their kind, agent and node."""

import operator
import re
from functools import reduce
from uuid import UUID

from django.db.models import Q

from tapes_app.models import StepRecord
from tapes_app.projects.domain.columns import fit_line, fit_text
from tapes_app.tapes.domain.rows import FoundSteps, StepHit
from tapes_app.tapes.domain.spans import places
from tapes_app.tapes.store.access import get_spans, spans_filter

MAX_HITS = 1000
_MAX_WORDS = 10
_EXCERPT_LENGTH = 120
_BEFORE_HIT = 40


def find_steps(tape_id: UUID, project: UUID, text: str) -> FoundSteps:
    """Return the steps of a tape that contain all the words, also inside other words.

    Raises:
        NotFoundError: there is no such tape in this project.
    """
    spans = get_spans(tape_id, project)
    words = fit_text(text, 200).lower().split()[:_MAX_WORDS]
    if not words:
        return FoundSteps((), is_cut=False)
    fits = Q(*(_holds(word) for word in words))
    steps = StepRecord.objects.filter(spans_filter(spans) & fits)
    rows = steps.order_by("log_id", "position").values_list("log_id", "position", "text")
    found = {(log, place): text for log, place, text in rows[: MAX_HITS + 1]}
    hits = tuple(
        StepHit(position, _excerpt(found[place], words))
        for position, place in enumerate(places(spans))
        if place in found
    )
    return FoundSteps(hits[:MAX_HITS], is_cut=len(found) > MAX_HITS)


def _holds(word: str) -> Q:
    columns = ("text", "kind", "agent", "node")
    return reduce(operator.or_, (Q((f"{name}__icontains", word)) for name in columns))


def _excerpt(text: str, words: list[str]) -> str:
    hit = re.search("|".join(re.escape(word) for word in words), text, re.IGNORECASE)
    start = max(0, hit.start() - _BEFORE_HIT) if hit else 0
    return fit_line(("…" if start else "") + text[start : start + 400], _EXCERPT_LENGTH)
