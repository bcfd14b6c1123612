"""Sequences of steps: which of the given tapes contain them, determined from typed columns.

The database first narrows down the tapes that contain each of the steps at all; the remaining ones
are read and checked in order. A tape is its spans, so forks see the steps that they share.
"""

import operator
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import chain
from uuid import UUID

from django.db.models import F, Q, TextField, Value
from django.db.models.functions import Concat, StrIndex
from django.db.models.lookups import GreaterThan

from tapes_app.library.domain.tape_query.conditions import StepPattern, StepTest
from tapes_app.library.domain.tape_query.fields import FAMILIES
from tapes_app.library.domain.tape_query.matching import StepFacts, find_sequence
from tapes_app.library.store.conditions import TOOL_ERROR
from tapes_app.models import StepRecord
from tapes_app.projects.domain.columns import fit_text
from tapes_app.tapes.domain.call_digests import digest_call, tools_of
from tapes_app.tapes.domain.spans import Spans, places
from tapes_app.tapes.store.access import spans_filter

_STEPS_AT_ONCE = 5_000
_TAPES_AT_ONCE = 100
_COLUMNS = (
    "kind", "family", "node", "agent", "is_error", "tools", "call_digest",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class TapeSpans:
    """A tape and where its steps are stored."""

    id: UUID
    spans: Spans
    step_count: int


def tapes_showing(condition: Q, tapes: Sequence[TapeSpans]) -> set[UUID]:
    """Return the tapes with a step that meets a condition."""
    logs = {span.log for tape in tapes for span in tape.spans}
    rows = StepRecord.objects.filter(condition, log_id__in=logs).order_by()
    positions: dict[UUID, list[int]] = {}
    for log, position in rows.values_list("log_id", "position"):
        positions.setdefault(log, []).append(position)
    return {tape.id for tape in tapes if _shows(tape.spans, positions)}


def tapes_calling(tools: Sequence[str], tapes: Sequence[TapeSpans]) -> set[UUID]:
    """Return the tapes with a step that calls one of the given tools."""
    known = _calls_tool(tools)
    showing = tapes_showing(known | _UNKNOWN_TOOLS, tapes)
    left = [tape for tape in tapes if tape.id in showing]
    sure = tapes_showing(known, left)
    unsure = [tape for tape in left if tape.id not in sure]
    return sure | find_sequences((StepPattern((StepTest("tool", tuple(tools)),)),), unsure)


def find_sequences(patterns: Sequence[StepPattern], tapes: Sequence[TapeSpans]) -> set[UUID]:
    """Return the tapes on which steps follow each other as the patterns require."""
    left = list(tapes)
    for condition in sorted((_rough_condition(one) for one in patterns), key=_is_common):
        if condition is not None and left:
            showing = tapes_showing(condition, left)
            left = [tape for tape in left if tape.id in showing]
    return {
        tape.id
        for part in _parts(left)
        for tape, steps in _read_steps(part)
        if find_sequence(patterns, steps) is not None
    }


def _shows(spans: Spans, positions: dict[UUID, list[int]]) -> bool:
    return any(
        span.start <= position < span.end
        for span in spans
        for position in positions.get(span.log, ())
    )


def _is_common(condition: Q | None) -> bool:
    """Sort key that puts rare conditions first; errors are rare."""
    return "is_error" not in str(condition)


def _rough_condition(pattern: StepPattern) -> Q | None:
    """Return a condition that every step of a pattern meets, as far as columns can express it."""
    tests = [_test_condition(test) for test in pattern.tests if not test.is_negated]
    known = [test for test in tests if test is not None]
    return reduce(operator.and_, known) if known else None


def _test_condition(test: StepTest) -> Q | None:
    if test.name in FAMILIES:
        return Q(family=test.name)
    values = [fit_text(value, 200) for value in test.values]
    match test.name:
        case "error":
            return Q(is_error=True)
        case "tool_error":
            return TOOL_ERROR
        case "same_call":
            return Q(family="action")
        case "kind" | "node":
            return Q(**{f"{test.name}__in": values})
        case "agent":
            parts = (Q(agent__startswith=f"{value}/") for value in values)
            return reduce(operator.or_, parts, Q(agent__in=values))
        case "tool":
            return _calls_tool(values) | _UNKNOWN_TOOLS
        case _:
            return None


_UNKNOWN_TOOLS = Q(tools__isnull=True, family="action")
"""Steps that were written before the column existed; their body has to be read."""


def _calls_tool(tools: Sequence[str]) -> Q:
    """Return the condition that a step calls one of the tools, which its column lists by blanks."""
    names = Concat(Value(" "), F("tools"), Value(" "), output_field=TextField())
    # Not LIKE, which ignores case on SQLite.
    found = (
        Q(GreaterThan(StrIndex(names, Value(f" {tool} ")), 0))
        for tool in (fit_text(tool, 200) for tool in tools)
        if tool.split() == [tool]
    )
    return reduce(operator.or_, found, Q(pk__in=()))


def _parts(tapes: Sequence[TapeSpans]) -> Iterator[list[TapeSpans]]:
    """Yield a few tapes at a time, fewer if they are long."""
    part: list[TapeSpans] = []
    count = 0
    for tape in tapes:
        if part and (len(part) == _TAPES_AT_ONCE or count + tape.step_count > _STEPS_AT_ONCE):
            yield part
            part, count = [], 0
        part.append(tape)
        count += tape.step_count
    if part:
        yield part


def _read_steps(tapes: Sequence[TapeSpans]) -> Iterator[tuple[TapeSpans, list[StepFacts]]]:
    condition = spans_filter(tuple(chain.from_iterable(tape.spans for tape in tapes)))
    rows = StepRecord.objects.filter(condition).order_by()
    found: dict[tuple[UUID, int], StepFacts] = {}
    unknown: list[tuple[UUID, int]] = []
    for log, position, *columns in rows.values_list("log_id", "position", *_COLUMNS):
        kind, family, node, agent, is_error, tools, digest = columns
        if tools is None and family == "action":
            unknown.append((log, position))
        found[log, position] = StepFacts(
            kind, family, node, agent, is_error, tuple((tools or "").split()), digest or ""
        )
    found.update(_read_bodies(condition, found, unknown))
    for tape in tapes:
        yield tape, [found[place] for place in places(tape.spans) if place in found]


def _read_bodies(
    condition: Q, known: dict[tuple[UUID, int], StepFacts], wanted: Sequence[tuple[UUID, int]]
) -> dict[tuple[UUID, int], StepFacts]:
    """Return the facts of actions that were written before their columns existed."""
    if not wanted:
        return {}
    rows = StepRecord.objects.filter(condition, family="action", tools__isnull=True).order_by()
    return {
        (log, position): replace(facts, tools=tools_of(body), call=digest_call(body))
        for log, position, body in rows.values_list("log_id", "position", "body")
        if (facts := known.get((log, position))) is not None
    }
