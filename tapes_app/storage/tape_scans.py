"""Asking costly conditions of a few tapes at a time, newest first, until time is up.

A window of tapes is read by the conditions that columns answer; only those are asked for words,
titles, kinds and sequences. A fork's steps are those of its spans, wherever they are stored.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from django.db.models import Q

from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.tape_query.conditions import Clause, Match, StepPattern, Words
from tapes_app.models import TapeRecord
from tapes_app.storage.columns import fit_text
from tapes_app.storage.cursors import after_cursor, write_cursor
from tapes_app.storage.search import FoundWords
from tapes_app.storage.search_index import newest_of
from tapes_app.storage.spans import Spans, read_spans
from tapes_app.storage.step_sequences import (
    TapeSpans,
    find_sequences,
    tapes_calling,
    tapes_showing,
)
from tapes_app.storage.tape_conditions import TOOL_ERROR, Leaf, Resolve, all_q, compile_clause
from tapes_app.storage.tape_heads import Head, find_head, read_head_on
from tapes_app.storage.tape_rows import Columns, row_columns

BUDGET_SECONDS = 2.0
_ALL_SECONDS = 20.0
_FIRST_WINDOW = 200
_LARGEST_WINDOW = 4_000
_QUICK_SECONDS = 0.1
_PAGE = 200
_MARGIN = 1.3
_HIGHEST_ID = UUID(int=2**128 - 1)


@dataclass(frozen=True, slots=True)
class Plan:
    """How the tapes of a list are found."""

    light: Q
    """What columns and small tables answer."""

    costly: tuple[Clause, ...]
    """Conditions to ask of the tapes that are left."""

    sequence: tuple[StepPattern, ...]
    words: Mapping[Words, FoundWords]

    @property
    def is_light(self) -> bool:
        return not self.costly and not self.sequence


@dataclass(frozen=True, slots=True)
class Candidate:
    """A tape that may be of a list."""

    id: UUID
    created_at: datetime
    step_count: int
    spans: Spans
    row: Columns | None = None
    """What a list shows of it, where that was read already."""


@dataclass(frozen=True, slots=True)
class Scan:
    """What was found in time."""

    found: tuple[Candidate, ...]
    """Newest first."""

    next: str | None
    """Where to go on; `None`: there are no more tapes."""

    searched_count: int
    """How many tapes were asked."""

    is_cut: bool
    """The time was up before the page was full."""

    words: Mapping[Words, FoundWords]
    """What is known now about where words are."""

    @property
    def ids(self) -> tuple[UUID, ...]:
        return tuple(one.id for one in self.found)


def scan(
    project: UUID,
    plan: Plan,
    *,
    after: str | None,
    limit: int,
    budget_seconds: float = BUDGET_SECONDS,
) -> Scan:
    """Return the newest tapes that fit, as far as the time allows; at least one window is read."""
    deadline = time.monotonic() + budget_seconds
    found: list[Candidate] = []
    searched = 0
    cursor, size = after, _FIRST_WINDOW
    head, words = find_head(plan.costly, plan.words, after), plan.words
    while True:
        started, missing = time.monotonic(), limit - len(found)
        if head is not None:
            words = {**words, head.clause: head.found}
            window = _read_head(plan, head, cursor, missing)
            fitting = _ask(project, replace(plan, costly=head.rest), window)
            is_last = head.found.are_all
        else:
            window = _read_window(plan, cursor, size)
            fitting = _ask(project, plan, window)
            is_last = len(window) < size
        for index, candidate in enumerate(window):
            if candidate.id in fitting:
                found.append(candidate)
            if len(found) == limit:
                is_end = is_last and index + 1 == len(window)
                mark = None if is_end else write_cursor(candidate.created_at, candidate.id)
                return Scan(tuple(found), mark, searched + index + 1, is_cut=False, words=words)
        searched += len(window)
        if is_last:
            return Scan(tuple(found), None, searched, is_cut=False, words=words)
        if head is not None and head.found.since is not None:
            cursor = write_cursor(head.found.since, _HIGHEST_ID)
            times = _MARGIN * (limit - len(found)) / max(1, len(fitting))
            head = read_head_on(head, times=times) if fitting else None
        else:
            cursor = write_cursor(window[-1].created_at, window[-1].id)
        now = time.monotonic()
        if now >= deadline:
            return Scan(tuple(found), cursor, searched, is_cut=True, words=words)
        is_quick = now - started < _QUICK_SECONDS
        size = min(size * 2, _LARGEST_WINDOW) if is_quick else max(size // 2, _FIRST_WINDOW)


def scan_all(project: UUID, plan: Plan) -> tuple[UUID, ...]:
    """Return every tape that fits.

    Raises:
        InvalidInputError: the project has more tapes than can be asked in time.
    """
    found = scan(project, plan, after=None, limit=sys.maxsize, budget_seconds=_ALL_SECONDS)
    if found.is_cut:
        raise InvalidInputError(
            f"Within {_ALL_SECONDS:.0f} seconds only {found.searched_count:,} tapes could be "
            "searched; narrow the list, by a batch or created>7d."
        )
    return found.ids


def _read_head(plan: Plan, head: Head, after: str | None, missing: int) -> list[Candidate]:
    """Return the tapes of a head; where each of them fits, those of a page with their rows."""
    conditions = plan.light & head.condition() & after_cursor(after)
    if head.rest or plan.sequence or missing > _PAGE:
        return _read_candidates(conditions, len(head.found.steps))
    tapes = TapeRecord.objects.filter(conditions).order_by("-created_at", "-id")
    return [
        Candidate(row["id"], row["created_at"], row["step_count"], (), row)
        for row in row_columns(tapes)[: missing + 1]
    ]


def _read_window(plan: Plan, after: str | None, size: int) -> list[Candidate]:
    return _read_candidates(plan.light & after_cursor(after), size)


def _read_candidates(conditions: Q, size: int) -> list[Candidate]:
    rows = (
        TapeRecord.objects.filter(conditions)
        .order_by("-created_at", "-id")
        .values_list("id", "created_at", "step_count", "spans")[:size]
    )
    return [
        Candidate(tape_id, created_at, step_count, read_spans(spans))
        for tape_id, created_at, step_count, spans in rows
    ]


def _ask(project: UUID, plan: Plan, window: Sequence[Candidate]) -> set[UUID]:
    """Return which tapes of a window fit the costly conditions and the sequence."""
    fitting = {candidate.id for candidate in window}
    tapes = [TapeSpans(one.id, one.spans, one.step_count) for one in window]
    if plan.costly and window:
        resolve = _resolver(plan, project, tapes)
        conditions = all_q(compile_clause(clause, project, resolve) for clause in plan.costly)
        rows = TapeRecord.objects.filter(conditions, id__in=list(fitting)).order_by()
        fitting = set(rows.values_list("id", flat=True))
    if plan.sequence:
        return find_sequences(plan.sequence, [tape for tape in tapes if tape.id in fitting])
    return fitting


def _resolver(plan: Plan, project: UUID, tapes: Sequence[TapeSpans]) -> Resolve:
    def resolve(leaf: Leaf) -> Q | None:
        match leaf:
            case Words():
                return Q(id__in=_with_words(plan.words[leaf], tapes))
            case Match("kind" | "node" as column, values):
                named = Q(**{f"{column}__in": [fit_text(value, 200) for value in values]})
                return Q(id__in=tapes_showing(named, tapes))
            case Match("tool", values):
                return Q(id__in=tapes_calling(values, tapes))
            case Match("has", values) if "tool_error" in values:
                failing = Q(id__in=tapes_showing(TOOL_ERROR, tapes))
                others = tuple(value for value in values if value != "tool_error")
                if not others:
                    return failing
                return failing | compile_clause(Match("has", others), project, resolve)
            case _:
                return None

    return resolve


def _with_words(found: FoundWords, tapes: Sequence[TapeSpans]) -> Collection[UUID]:
    return found.steps if found.are_all else newest_of(found.query, [tape.id for tape in tapes])
