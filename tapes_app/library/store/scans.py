"""Checking costly conditions on a few tapes at a time, newest first, until time is up.

A window of tapes is read by the conditions that columns can answer; only those tapes are checked
for words, titles, kinds and sequences. A fork's steps are those of its spans, wherever they are
stored.
"""

import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from django.db.models import Q

from tapes_app.engine.errors import InvalidInputError
from tapes_app.library.domain.tape_query.conditions import Clause, Match, StepPattern, Words
from tapes_app.library.store.common_words import Head, find_head, read_head_on
from tapes_app.library.store.conditions import TOOL_ERROR, Leaf, Resolve, all_q, compile_clause
from tapes_app.library.store.search import FoundWords
from tapes_app.library.store.step_sequences import (
    TapeSpans,
    find_sequences,
    tapes_calling,
    tapes_showing,
)
from tapes_app.models import TapeRecord
from tapes_app.projects.domain.columns import fit_text
from tapes_app.projects.store.records import after_cursor, write_cursor
from tapes_app.tapes.domain.spans import read_spans
from tapes_app.tapes.store.list_rows import Columns, row_columns

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
    """Conditions that columns and small tables can answer."""

    costly: tuple[Clause, ...]
    """Conditions to check on the remaining tapes."""

    sequence: tuple[StepPattern, ...]
    words: Mapping[Words, FoundWords]

    @property
    def is_light(self) -> bool:
        return not self.costly and not self.sequence


@dataclass(frozen=True, slots=True)
class Candidate(TapeSpans):
    """A tape that may belong to a list."""

    created_at: datetime
    row: Columns | None = None
    """The columns that a list shows, if they were already read."""


@dataclass(frozen=True, slots=True)
class Scan:
    """What was found in time."""

    found: tuple[Candidate, ...]
    """Newest first."""

    next: str | None
    """Where to continue; `None` if there are no more tapes."""

    searched_count: int
    """How many tapes were checked."""

    is_cut: bool
    """Whether time ran out before the page was full."""

    words: Mapping[Words, FoundWords]
    """What is now known about where the words occur."""

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
    """Return the newest tapes that fit, as far as time allows; reads at least one window."""
    deadline = time.monotonic() + budget_seconds
    found: list[Candidate] = []
    searched = 0
    windows = _Windows(project, plan, after)
    while True:
        window = windows.read(limit - len(found))
        for index, candidate in enumerate(window.tapes):
            if candidate.id in window.fitting:
                found.append(candidate)
            if len(found) == limit:
                is_end = window.end is None and index + 1 == len(window.tapes)
                mark = None if is_end else write_cursor(candidate.created_at, candidate.id)
                searched += index + 1
                return Scan(tuple(found), mark, searched, is_cut=False, words=windows.words)
        searched += len(window.tapes)
        is_cut = window.end is not None and time.monotonic() >= deadline
        if window.end is None or is_cut:
            return Scan(tuple(found), window.end, searched, is_cut=is_cut, words=windows.words)


def scan_all(project: UUID, plan: Plan) -> tuple[UUID, ...]:
    """Return every tape that fits.

    Raises:
        InvalidInputError: the project has more tapes than can be checked in time.
    """
    found = scan(project, plan, after=None, limit=sys.maxsize, budget_seconds=_ALL_SECONDS)
    if found.is_cut:
        raise InvalidInputError(
            f"Only {found.searched_count:,} tapes could be searched within {_ALL_SECONDS:.0f} "
            "seconds; narrow the list, for example by batch or with created>7d."
        )
    return found.ids


@dataclass(frozen=True, slots=True)
class _Window:
    """A run of consecutive tapes of a list."""

    tapes: list[Candidate]
    fitting: set[UUID]
    end: str | None
    """Where the next window begins; `None` if there is none."""


class _Windows:
    """Reads a list from where a page ended: a head of common words, then window by window."""

    def __init__(self, project: UUID, plan: Plan, after: str | None) -> None:
        self._project, self._plan = project, plan
        self._after, self._size = after, _FIRST_WINDOW
        self._head = find_head(plan.costly, plan.words, after)
        self.words = plan.words
        """What is known about where the words occur."""

    def read(self, missing: int) -> _Window:
        """Return the next tapes; not many more than are missing, if it is known which fit."""
        window = self._read_window() if self._head is None else self._read_head(self._head, missing)
        self._after = window.end
        return window

    def _read_head(self, head: Head, missing: int) -> _Window:
        self.words = {**self.words, head.clause: head.found}
        rest = replace(self._plan, costly=head.rest)
        conditions = rest.light & head.condition() & after_cursor(self._after)
        if rest.is_light and missing <= _PAGE:
            tapes = _read_rows(conditions, missing + 1)
        else:
            tapes = _read_candidates(conditions, len(head.found.tapes))
        fitting = _ask(self._project, rest, tapes)
        if head.found.since is None:
            return _Window(tapes, fitting, None)
        is_worth_it = 0 < len(fitting) < missing
        times = _MARGIN * (missing - len(fitting)) / max(1, len(fitting))
        self._head = read_head_on(head, times=times) if is_worth_it else None
        return _Window(tapes, fitting, write_cursor(head.found.since, _HIGHEST_ID))

    def _read_window(self) -> _Window:
        begin, size = time.monotonic(), self._size
        tapes = _read_candidates(self._plan.light & after_cursor(self._after), size)
        fitting = _ask(self._project, self._plan, tapes)
        is_quick = time.monotonic() - begin < _QUICK_SECONDS
        self._size = min(size * 2, _LARGEST_WINDOW) if is_quick else max(size // 2, _FIRST_WINDOW)
        is_last = len(tapes) < size
        end = None if is_last else write_cursor(tapes[-1].created_at, tapes[-1].id)
        return _Window(tapes, fitting, end)


def _read_rows(conditions: Q, size: int) -> list[Candidate]:
    """Return tapes with the columns that a list shows, for tapes that need no further check."""
    tapes = TapeRecord.objects.filter(conditions).order_by("-created_at", "-id")
    return [
        Candidate(row["id"], (), row["step_count"], row["created_at"], row)
        for row in row_columns(tapes)[:size]
    ]


def _read_candidates(conditions: Q, size: int) -> list[Candidate]:
    rows = (
        TapeRecord.objects.filter(conditions)
        .order_by("-created_at", "-id")
        .values_list("id", "spans", "step_count", "created_at")[:size]
    )
    return [
        Candidate(tape_id, read_spans(spans), step_count, created_at)
        for tape_id, spans, step_count, created_at in rows
    ]


def _ask(project: UUID, plan: Plan, window: Sequence[Candidate]) -> set[UUID]:
    """Return which tapes of a window fit the costly conditions and the sequence."""
    fitting = {candidate.id for candidate in window}
    if plan.costly and window:
        resolve = _resolver(plan, project, window)
        conditions = all_q(compile_clause(clause, project, resolve) for clause in plan.costly)
        rows = TapeRecord.objects.filter(conditions, id__in=list(fitting)).order_by()
        fitting = set(rows.values_list("id", flat=True))
    if plan.sequence:
        return find_sequences(plan.sequence, [tape for tape in window if tape.id in fitting])
    return fitting


def _resolver(plan: Plan, project: UUID, tapes: Sequence[TapeSpans]) -> Resolve:
    def resolve(leaf: Leaf) -> Q | None:
        match leaf:
            case Words():
                found = plan.words[leaf]
                some = found.tapes if found.are_all else found.among([tape.id for tape in tapes])
                return Q(id__in=some)
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
